"""Keeps schemathesis from deleting its own token and user, and lists the expected errors."""

import os

import schemathesis
from schemathesis.specs.openapi.checks import ensure_resource_availability

PRESERVED = frozenset(os.environ["QUERN_PRESERVED"].split(","))


@schemathesis.hook
def filter_case(context, case):
    if case.method not in ("PUT", "PATCH", "DELETE"):
        return True
    return PRESERVED.isdisjoint(str(value).lower() for value in (case.path_parameters or {}).values())


# The errors of operations for data that the document allows, by their codes in docs/reference/errors.md. They depend on the
# data of the server, or on the combination of fields, which a schema cannot describe.
CONNECTION = {"option_required", "option_unknown", "option_invalid", "option_is_secret", "option_not_secret", "override_unknown"}
# The header Prefer, which results=all needs, can also have other values.
EXECUTION = {"parameter_invalid", "override_not_allowed", "results_need_respond_async"}
SCIM_LIST = {"scim_filter_malformed"}
SCIM_CHANGE = {"scim_no_target", "scim_path_invalid", "scim_value_invalid"}
# Only the primary e-mail address is a name.
SCIM_USER = {"control_characters", "email_invalid", "text_too_long", "scim_value_invalid", "password_too_weak", "user_name_invalid"}
REFUSALS = {
    "createFolder": {"name_exists"},
    "createAsset": {"name_exists"},
    "updateFolder": {"name_exists", "folder_moved_into_itself"},
    "updateAsset": {"name_exists", "name_or_content_required"},
    "deleteFolder": {"folder_not_empty"},
    "restoreDeletedItem": {"name_exists"},
    "listFolder": {"not_a_folder", "field_invalid"},
    "listNamespaces": {"field_invalid"},
    "countFolder": {"not_a_folder"},
    "searchCatalog": {"search_text_required", "search_text_invalid"},
    "createConnection": CONNECTION,
    "putConnection": CONNECTION,
    "changeConnection": CONNECTION | {"connection_secret_required"},
    "testConnection": CONNECTION | {"connection_not_testable", "connection_secret_required", "connection_test_running"},
    "putGrant": {"level_invalid"},
    "changeGrants": {"field_invalid", "level_invalid", "target_not_restrictable"},
    "listUsers": {"field_invalid"},
    "listTokens": {"field_invalid"},
    "generateSql": {"connection_not_found", "semantic_model_not_found"},
    "generateStatements": {"connection_not_found", "semantic_model_not_found"},
    "getSemanticModel": {"connection_not_found", "semantic_model_not_found"},
    "downloadExecutionResult": {"field_needs_csv"},
    "runSql": EXECUTION,
    "runScript": EXECUTION | {"connection_required"},
    "runBlock": EXECUTION | {"connection_required"},
    "runBundle": EXECUTION | {"connection_required", "field_required", "file_path_given_twice", "file_path_is_a_folder", "path_and_block_given"},
    "listScimUsers": SCIM_LIST,
    "searchScimUsers": SCIM_LIST,
    "listScimGroups": SCIM_LIST,
    "searchScimGroups": SCIM_LIST,
    "searchScimResources": SCIM_LIST,
    "createToken": {"expiry_in_the_past", "scope_contradicted", "scope_needs_administrator"},
    "unlinkSamlUsers": {"link_owner_invalid"},
    "changeUsers": {"field_invalid"},
    "changeItems": {"field_invalid"},
    "createInvitation": {"field_invalid", "user_name_invalid"},
    "createUser": {"password_too_weak", "user_name_invalid"},
    "updateUser": {"password_too_weak"},
    "createScimGroup": {"scim_value_invalid"},
    "replaceScimGroup": {"scim_value_invalid"},
    "createScimUser": SCIM_USER,
    "replaceScimUser": SCIM_USER,
    "patchScimUser": SCIM_CHANGE | SCIM_USER,
    "patchScimGroup": SCIM_CHANGE,
}


@schemathesis.check
def refusals_are_named(context, response, case):
    """Valid data may be refused with 400 only for the reasons above."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    operation = case.operation.definition.raw["operationId"]
    code = response.json().get("code")
    if code not in REFUSALS.get(operation, ()):
        raise AssertionError(f"{operation} refuses what the document allows: {response.text}")


@schemathesis.check
def created_resources_are_available(context, response, case):
    """A created resource exists. A missing user in the body is also 404, which says nothing about the group."""
    operation = case.operation.definition.raw["operationId"]
    if operation == "addGroupMembers" and response.status_code == 404 and response.json().get("code") == "user_not_found":
        return None
    return ensure_resource_availability(context, response, case)
