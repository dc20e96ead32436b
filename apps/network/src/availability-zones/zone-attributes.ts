/** Of networks and routers. Public source: neutron-lib, `availability_zone` and `network_availability_zone`. */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { listOf, setOf, text } from '@cumulet/common/resources/value-type';

const neither = { filter: false, sort: false } as const;

/** Public source: neutron-lib, `AZ_HINTS_DB_LEN`: all of them as JSON. */
const MAX_LENGTH = 255;
const MAX_HINTS = 10;

export const zoneAttributes = {
  availability_zone_hints: attribute(setOf(text(MAX_LENGTH), MAX_HINTS), {
    about: 'Availability zones that it is to be in; any by default.',
    default: [],
    given: 'at-creation',
    ...neither,
  }),
  availability_zones: shownOnly(listOf(text()), {
    about: 'Availability zones that it is in.',
    ...neither,
  }),
};
