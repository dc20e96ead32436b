"""
What programs do with stacks and the OpenStack SDK; prints one JSON object of what they saw. Its
argument is a folder with template.yaml, changed.yaml, environment.yaml and what these include.

What it waits for, it looks at again sooner than by itself, which would be every 5 seconds.
"""

import json
import pathlib
import sys
import time

import openstack

folder = pathlib.Path(sys.argv[1])
sleep = time.sleep
time.sleep = lambda seconds: sleep(min(seconds, 0.2))

cloud = openstack.connect()
heat = cloud.orchestration
seen = {}


def path(name):
    return str(folder / name)


def settled(stack, status):
    return heat.wait_for_status(heat.get_stack(stack.id), status, failures=[], interval=0.2, wait=60)


def outputs_of(stack):
    return {one["output_key"]: one["output_value"] for one in stack.outputs}


stack = cloud.create_stack(
    "sdk",
    tags=["red", "blue"],
    template_file=path("template.yaml"),
    environment_files=[path("environment.yaml")],
    rollback=False,
    wait=True,
    timeout=1800,
    who="given",
)
seen["created"] = [stack.status, sorted(stack.tags), stack.timeout_mins, stack.is_rollback_disabled]
seen["outputs"] = outputs_of(stack)
seen["found"] = [
    cloud.get_stack("sdk").id == stack.id,
    cloud.get_stack(stack.id).name,
    cloud.get_stack("sdk", resolve_outputs=False).outputs,
    cloud.get_stack("no-such-stack"),
]
seen["listed"] = {
    "red": [one.name for one in heat.stacks(tags=["red"])],
    "not red": [one.name for one in heat.stacks(not_tags=["red"])],
    "status": [one.name for one in cloud.list_stacks(status="CREATE_COMPLETE")],
    "searched": [one.name for one in cloud.search_stacks("sdk")],
}
seen["resources"] = {one.name: [one.resource_type, one.status] for one in heat.resources(stack)}
seen["template"] = sorted(heat.get_stack_template(stack).resources)
seen["environment"] = heat.get_stack_environment(stack).parameters
seen["files"] = sorted(pathlib.Path(name).name for name in heat.get_stack_files(stack))
seen["events"] = sorted({one.resource_status for one in heat.stack_events(stack)})
seen["events of one"] = [one.resource_status for one in heat.stack_events(stack, "text", sort_dir="asc")]

changed = cloud.update_stack(
    "sdk",
    template_file=path("changed.yaml"),
    environment_files=[path("environment.yaml")],
    tags=["green"],
    wait=True,
    who="changed",
)
seen["updated"] = [changed.status, changed.tags, outputs_of(changed)]

for act, status in (
    (heat.suspend_stack, "SUSPEND_COMPLETE"),
    (heat.resume_stack, "RESUME_COMPLETE"),
    (heat.check_stack, "CHECK_COMPLETE"),
):
    act(heat.get_stack(stack.id))
    seen[status] = settled(stack, status).status

exported = heat.export_stack(stack)
seen["exported"] = [exported["name"], exported["status"], sorted(exported["resources"])]

_, template = heat.get_template_contents(template_file=path("plain.yaml"))
preview = heat.create_stack(preview=True, name="previewed", template=template)
seen["previewed"] = [preview.name, cloud.get_stack("previewed")]
seen["validated"] = sorted(heat.validate_template(template).parameters)
try:
    heat.validate_template({**template, "resources": {"one": {"type": "No::Such::Type"}}})
except openstack.exceptions.BadRequestException as refusal:
    seen["refused"] = "No::Such::Type" in str(refusal)

config = heat.create_software_config(name="greet", group="script", config="echo hello")
deployment = heat.create_software_deployment(
    config_id=config.id, server_id="11111111-2222-4333-8444-555555555555", action="CREATE"
)
deployment = heat.update_software_deployment(deployment, status="COMPLETE", status_reason="done")
seen["deployment"] = [deployment.status, [one.id == config.id for one in heat.software_configs()]]
heat.delete_software_deployment(deployment)
heat.delete_software_config(config)

abandoned = heat.create_stack(name="abandoned", template=template)
settled(abandoned, "CREATE_COMPLETE")
seen["abandoned"] = heat.abandon_stack(heat.get_stack(abandoned.id))["name"]

seen["deleted"] = [cloud.delete_stack("sdk", wait=True), cloud.delete_stack("sdk", wait=True)]
seen["left"] = [one.name for one in heat.stacks()]
json.dump(seen, sys.stdout)
