import { defineResource } from '../kit/resource'
import type { ServiceProvider, ServiceProviderChanges, ServiceProviderDraft } from '../shapes/service-provider'

export const serviceProvider = defineResource<ServiceProvider, ServiceProviderDraft, ServiceProviderChanges>()({
  kind: 'service_provider',
  path: '/ServiceProviders',
  key: 'service_provider_sid',
  noun: { singular: 'service provider', plural: 'service providers' },
  title: (row) => row.name,
})
