"""The bare client loop: every text to the application of the gateway example, its tool counted.

python client.py FOLDER TEXTS: in an environment with FastAPI; FOLDER holds service.py, and TEXTS.types the
content type of each text, a line each.
"""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import httpx2
import service

RAN = []
service.ship = RAN.append


async def main(data: bytes, types: list[str]) -> None:
    """Send, and look at the status."""
    transport = httpx2.ASGITransport(app=service.app, raise_app_exceptions=False)
    statuses = []
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        at = 0
        while at < len(data):
            size = int.from_bytes(data[at : at + 4], "little")
            text = data[at + 4 : at + 4 + size]
            headers = {"content-type": types[len(statuses)]}
            at += 4 + size
            response = await client.post("/orders", content=text, headers=headers)
            statuses.append((response.status_code, len(response.content)))
    print(len(statuses), len(RAN))


asyncio.run(main(Path(sys.argv[2]).read_bytes(), Path(sys.argv[2] + ".types").read_text().split("\n")))
