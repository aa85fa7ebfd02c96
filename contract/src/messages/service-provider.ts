export const messages = {
  added: (name: string) => `Added new service provider ${name}`,
  duplicateName: 'The name you have entered is already in use.',
  saved: 'Settings updated',
  invalidTeamsDomain: 'Enter a domain name, such as teams.example.com.',
  rootDomainHelp: 'Accounts get their SIP realms below this domain. People can register only if it is set.',
  invalidRootDomain: 'Enter a domain name, such as sip.example.com.',
  removed: (name: string) => `Deleted service provider ${name}`,
} as const
