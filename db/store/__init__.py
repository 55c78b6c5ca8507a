"""The job store: submit, dispatch, claim, heartbeat, finish, reconcile."""
