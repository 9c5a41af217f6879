"""What every test shares."""

from hypothesis import settings

# Machines that run tests are noisy: an example that takes long is no failure.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
