"""Set Streamlit's options when the server starts; it wins over `.streamlit/config.toml`."""

from __future__ import annotations

import json
from typing import Any

from data import environment
from web.site import Site


def streamlit_options(site: Site, port: int) -> dict[str, Any]:
    """Streamlit's options, for `st.App.run`.

    >>> options = streamlit_options(Site(url="https://example.org/blindspot"), 8501)
    >>> options["server.baseUrlPath"], options["server.corsAllowedOrigins"]
    ('/blindspot', ['https://example.org'])
    """
    options: dict[str, Any] = {
        "server.address": site.address,
        "server.port": port,
        "server.baseUrlPath": site.base_path,
        "server.allowedHosts": list(site.hosts),
        "server.corsAllowedOrigins": [site.origin] if site.origin else [],
        "server.maxUploadSize": environment.value("BLINDSPOT_UPLOAD_MB"),
        # Always given: a `trustedUserHeaders` in a configuration file of the home folder would hold otherwise.
        "server.trustedUserHeaders": json.dumps(trusted_headers()),
        "logger.hideWelcomeMessage": True,  # listening everywhere, it would ask a host on the internet for our address
    }
    # Streamlit compares a page's origin with this before it looks up the machine's address at a host on the internet.
    return options | ({"browser.serverAddress": site.host} if site.host else {})


def trusted_headers() -> dict[str, str]:
    """Return the header that becomes each field of `st.user`; none unless BLINDSPOT_USER_HEADER names one."""
    header = environment.value("BLINDSPOT_USER_HEADER")
    return {header: "email"} if header else {}
