/**
 * What a guest is told besides its user data where that is not RAW: to log its first boot, and where
 * to leave what templates say for it. Public source: cloud-init, "Custom part handler".
 */
import { stringifyExact } from '../../json/exact-json.js';
import type { MimePart } from '../heat/mime.js';

const CLOUD_CONFIG: MimePart = {
  subtype: 'cloud-config',
  filename: 'cloud-config',
  content: `output: {all: '| tee -a /var/log/cloud-init-output.log'}\n`,
};

const BOOTHOOK: MimePart = {
  subtype: 'cloud-boothook',
  filename: 'boothook.sh',
  content: `#!/bin/sh
# Images that have the tools of templates expect them in /opt/aws/bin.
if command -v cfn-create-aws-symlinks > /dev/null; then cfn-create-aws-symlinks; fi
exit 0
`,
};

/** Keeps parts of type x-cfninitdata as files, where the tools look for them. */
const PART_HANDLER: MimePart = {
  subtype: 'part-handler',
  filename: 'part-handler.py',
  content: `# part-handler
import os

FOLDERS = ("/var/lib/heat-cfntools", "/var/lib/cloud/data")


def list_types():
    return ["text/x-cfninitdata"]


def handle_part(data, content_type, filename, payload):
    if content_type in ("__begin__", "__end__"):
        return
    if isinstance(payload, str):
        payload = payload.encode("utf-8")
    for folder in FOLDERS:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, os.path.basename(filename))
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as kept:
            kept.write(payload)
`,
};

/** Runs the user data that the part handler has kept, and says in a file how that ended. */
const RUN_USER_DATA: MimePart = {
  subtype: 'x-shellscript',
  filename: 'run-user-data.sh',
  content: `#!/bin/sh
script=/var/lib/cloud/data/cfn-userdata
log=/var/log/heat-provision.log
[ -s "$script" ] || exit 0
chmod 700 "$script"
umask 077
echo "Provisioning began: $(date -u)" >> "$log"
"$script" >> "$log" 2>&1
code=$?
echo "Provisioning ended with code $code: $(date -u)" >> "$log"
[ "$code" -eq 0 ] && date -u > /var/lib/heat-cfntools/provision-finished
exit "$code"
`,
};

export const GUEST_PARTS: readonly MimePart[] = [CLOUD_CONFIG, BOOTHOOK, PART_HANDLER];

/** @param userData a script */
export function toolParts(userData: string): readonly MimePart[] {
  const script = { content: userData, subtype: 'x-cfninitdata', filename: 'cfn-userdata' };
  return [script, RUN_USER_DATA];
}

/** A resource's metadata, for the tools in the guest. */
export function metadataPart(metadata: unknown): MimePart {
  const content = stringifyExact(metadata);
  return { content, subtype: 'x-cfninitdata', filename: 'cfn-init-data' };
}
