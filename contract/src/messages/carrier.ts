/** The sentences about carriers and their gateways. */
export const messages = {
  added: 'Carrier created successfully',
  saved: 'Carrier updated successfully',
  removed: (name: string) => `Deleted Carrier ${name}`,
  gatewayRemoved: 'SIP gateway successfully deleted',
  none: 'No Carriers.',
  sendCallsTo: 'Have your carrier send calls to',
  checkingGateways: 'Checking gateways...',
  gatewaysError: 'Gateways error',
  mayNotRemove: 'You do not have permissions to delete this Carrier',
  mayNotChange: 'You do not have permissions to make changes to this Carrier',
  inUse: 'cannot delete voip carrier with active phone numbers',
  gateway: {
    atLeastOne: 'You must provide at least one SIP Gateway.',
    fqdnOutboundOnly: 'A fully qualified domain name may only be used for outbound calls.',
    invalidAddress: 'Please provide a valid IP address or fully qualified domain name.',
    duplicate: 'Each SIP gateway must have a unique IP address.',
    noDirection: 'A SIP gateway must have Inbound or Outbound ticked.',
  },
} as const
