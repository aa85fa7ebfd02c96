export const messages = {
  added: 'Microsoft Teams Tenant created successfully',
  saved: 'Microsoft Teams Tenant updated successfully',
  removed: (domain: string) => `Deleted Microsoft Teams Tenant ${domain}`,
  confirmRemoval: (domain: string) => `Are you sure you want to delete the ${domain} Microsoft Teams Tenant?`,
  duplicateDomain: 'The domain name you have entered is already in use.',
  none: 'No Microsoft Teams Tenant.',
  needsAccount: 'You must create an account before you can create a Microsoft Teams Tenant.',
  noDomain: (provider: string) => `${provider} does not have a fully qualified domain name for MS Teams`,
} as const
