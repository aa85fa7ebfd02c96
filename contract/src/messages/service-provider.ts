export const messages = {
  added: (name: string) => `Added new service provider ${name}`,
  duplicateName: 'The name you have entered is already in use.',
  saved: 'Settings updated',
  invalidTeamsDomain: 'Enter a domain name, such as teams.example.com.',
  removed: (name: string) => `Deleted service provider ${name}`,
} as const
