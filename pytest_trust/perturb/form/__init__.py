"""Changes of form that a person reads over."""
