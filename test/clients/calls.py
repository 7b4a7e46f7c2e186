"""Ten calls of the client that openapi-python-client generates; the server and the token are in the environment."""

import json
import os

from quern_client import AuthenticatedClient
from quern_client.api.catalog import create_asset, create_folder, delete_asset, get_asset, list_folder, update_asset
from quern_client.api.executions import list_executions, run_script, run_sql
from quern_client.api.users import list_users
from quern_client.models import (
    ConnectionReference,
    CreateAssetBody,
    CreateFolderBody,
    RunScriptBody,
    RunSqlBody,
    UpdateAssetBody,
)

client = AuthenticatedClient(base_url=os.environ["QUERN_URL"], token=os.environ["TOKEN"])
duckdb = ConnectionReference(name="duckdb")
path = "@Shared/python/answer"
answers = [
    create_folder.sync_detailed(client=client, body=CreateFolderBody(parent_path="@Shared", name="python")),
    create_asset.sync_detailed(
        client=client, body=CreateAssetBody(parent_path="@Shared/python", name="answer", content="SELECT 41 AS x")
    ),
    list_folder.sync_detailed(client=client, path="@Shared/python"),
    get_asset.sync_detailed(client=client, path=path),
]
tag = answers[-1].headers["etag"]
answers += [
    update_asset.sync_detailed(client=client, path=path, if_match=tag, body=UpdateAssetBody(content="SELECT 42 AS x")),
    run_script.sync_detailed(client=client, body=RunScriptBody(path=path, connection=duckdb)),
    run_sql.sync_detailed(client=client, body=RunSqlBody(sql="SELECT 1 AS x", connection=duckdb)),
    list_executions.sync_detailed(client=client),
    list_users.sync_detailed(client=client, limit=5),
    delete_asset.sync_detailed(client=client, path=path, if_match="*"),
]
rows = answers[5].parsed.result.data
print(
    json.dumps(
        {
            "statuses": [answer.status_code.value for answer in answers],
            "parsed": [type(answer.parsed).__name__ for answer in answers],
            "names": [entry.name for entry in answers[2].parsed.data],
            "content": answers[3].parsed.data.content,
            "rows": rows,
            "users": [user.user_name for user in answers[8].parsed.data],
        }
    )
)
