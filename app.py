"""The entry: what stands above every page, then the page that was asked for."""

from playground import navigation

with navigation.around() as page:
    page.run()
