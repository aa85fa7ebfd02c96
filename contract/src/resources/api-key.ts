import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
import type { ApiKey, ApiKeyDraft, CreatedApiKey } from '../shapes/api-key'

/** The API has only create and remove; keys are listed under their owner. */
export const apiKey = defineResource<ApiKey, ApiKeyDraft, never, CreatedApiKey>()({
  kind: 'api_key',
  path: '/ApiKeys',
  key: 'api_key_sid',
  noun: { singular: 'API key', plural: 'API keys' },
  title: (row) => row.api_key_sid,
  isReadable: false,
})

export const apiKeysOfAccount = defineRoute<{ response: ApiKey[] }>()(
  'GET',
  '/Accounts/:account_sid/ApiKeys',
  'List the API keys of an account',
)

export const apiKeysOfProvider = defineRoute<{ response: ApiKey[] }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/ApiKeys',
  'List the API keys of a service provider',
)
