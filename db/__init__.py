"""Where it is kept: models, the job store, bulk writing of results, queries."""
