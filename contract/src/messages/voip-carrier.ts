/** The direction of messages over an SMPP gateway. */
export type Direction = 'inbound' | 'outbound'

export const messages = {
  added: 'Carrier created successfully',
  saved: 'Carrier updated successfully',
  removed: (name: string) => `Deleted Carrier ${name}`,
  gatewayRemoved: 'SIP gateway successfully deleted',
  removingGateway: 'Deleting the gateway…',
  smppGatewayRemoved: (direction: Direction) => `SMPP ${direction} gateway successfully deleted`,
  none: 'No Carriers.',
  sendCallsTo: 'Have your carrier send calls to',
  checkingGateways: 'Checking gateways...',
  gatewaysError: 'Gateways error',
  mayNotRemove: 'You do not have permissions to delete this Carrier',
  usedByNumbers: 'cannot delete voip carrier with active phone numbers',
  usedByRoutes: 'cannot delete voip carrier with outbound call routes',
  gateway: {
    atLeastOne: 'You must provide at least one SIP Gateway.',
    fqdnOutboundOnly: 'A fully qualified domain name may only be used for outbound calls.',
    invalidAddress: 'Please provide a valid IP address or fully qualified domain name.',
    /** Follows the message above if a predefined carrier contains a placeholder. */
    replacePlaceholder: (placeholder: string) => `Replace ${placeholder} with your own.`,
    duplicate: 'Each SIP gateway must have a unique IP address.',
    noDirection: 'Tick Inbound or Outbound for this SIP gateway.',
    invalidPort: (maximum: number) => `The port must be a whole number from 0 to ${maximum}.`,
    invalidNetmask: (maximum: number) => `The netmask must be a whole number from 1 to ${maximum}.`,
    outboundForRegistration: 'Registration Trunk type requires at least one outbound gateway.',
  },
  smpp: {
    atLeastOneOutbound: 'You must provide at least one Outbound Gateway.',
    subdomain: (host: string) => `When using an FQDN, you must use a subdomain (e.g. ${host}).`,
    invalidAddress: (direction: Direction) =>
      `Please provide a valid ${direction} IP address or fully qualified domain name.`,
    duplicate: (direction: Direction) => `Each ${direction} SMPP gateway must have a unique IP address.`,
  },
  /** The carrier was saved, but a gateway was refused. The form marks it; saving again saves the rest. */
  gatewaysNotSaved: 'The carrier was saved, but not all of its gateways.',
  /** Another user has saved the carrier since this screen opened. */
  changedMeanwhile: 'Someone else changed this carrier after you opened it.',
  trunk: {
    static_ip: 'IP Trunk',
    auth: 'Auth Trunk',
    reg: 'Registration Trunk',
  },
  incompleteInboundAuth: 'Auth Trunk requires both username and password credentials.',
  invalidProxy: 'Please provide a valid SIP Proxy domain or IP address.',
  choosePredefined: 'Choose a predefined carrier',
  shortTechPrefix: (minimum: number) => `The tech prefix must be at least ${minimum} characters long.`,
  incompleteAuth: 'Enter both the auth username and the auth password, or leave both empty.',
  registered: 'Registered',
  unregistered: 'Unregistered',
  notStarted: 'Not Started',
} as const
