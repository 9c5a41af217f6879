"""All that the Learn page draws."""
