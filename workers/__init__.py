"""Who computes: the Celery application and its one task, the keeper (dispatch and reconcile), the supervisor."""
