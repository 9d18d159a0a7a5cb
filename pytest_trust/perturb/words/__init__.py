"""Words replaced, put in and left out."""
