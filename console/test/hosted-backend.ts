import { beforeAll } from 'vitest'
import { hostedEdition } from '../../server/test/hosted-edition'
import { useBackend } from './render'

/** The root domain of the SIP realms of new accounts. */
export const rootDomain = 'sip.example.com'

/** Like `useBackend`, with the hosted edition. New accounts belong to the provider north, which has a root domain. */
export const useHostedBackend = (adapters?: Parameters<typeof useBackend>[1]) => {
  const edition = { ...hostedEdition }
  const hosted = useBackend({ hostedEdition: edition }, adapters)
  beforeAll(async () => {
    const { north } = hosted.testData().providers
    edition.serviceProviderSid = north
    await hosted
      .backend()
      .database.db.updateTable('service_providers')
      .set({ root_domain: rootDomain })
      .where('service_provider_sid', '=', north)
      .execute()
  })
  return { ...hosted, edition }
}
