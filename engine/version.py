"""The version of what the engine computes.

It changes whenever the same job with the same seed would give other bytes; it is stored with every job and chunk,
so that a digest is only ever compared with one made by the same computation.
"""

ENGINE_VERSION = "4"
