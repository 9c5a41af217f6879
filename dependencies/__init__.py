"""What the app is installed with: the hashes of all packages, and their licences."""
