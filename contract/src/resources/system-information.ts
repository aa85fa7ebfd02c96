import { defineRoute } from '../kit/route'
import type { SystemInformation, SystemInformationChanges } from '../shapes/system-information'

export const systemInformation = defineRoute<{ response: SystemInformation }>()(
  'GET',
  '/SystemInformation',
  "Read the platform's domains, private networks and log level",
)

export const saveSystemInformation = defineRoute<{ body: SystemInformationChanges; response: SystemInformation }>()(
  'POST',
  '/SystemInformation',
  "Change the platform's domains, private networks and log level",
)
