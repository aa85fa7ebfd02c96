import { defineRoute } from '../kit/route'
import type { SynthesisRequest, TtsCache } from '../shapes/tts-cache'

export const ttsCache = {
  read: defineRoute<{ response: TtsCache }>()('GET', '/TtsCache', 'Count the cached speech of the platform'),
  clear: defineRoute()('DELETE', '/TtsCache', 'Clear the cached speech of the platform'),
}

export const ttsCacheOfAccount = {
  read: defineRoute<{ response: TtsCache }>()(
    'GET',
    '/Accounts/:account_sid/TtsCache',
    'Count the cached speech of an account',
  ),
  clear: defineRoute()('DELETE', '/Accounts/:account_sid/TtsCache', 'Clear the cached speech of an account'),
}

/** For all accounts of a provider. A Trunkline addition: server capability `providerCache`. */
export const ttsCacheOfProvider = {
  read: defineRoute<{ response: TtsCache }>()(
    'GET',
    '/ServiceProviders/:service_provider_sid/TtsCache',
    'Count the cached speech of the accounts of a service provider',
  ),
  clear: defineRoute()(
    'DELETE',
    '/ServiceProviders/:service_provider_sid/TtsCache',
    'Clear the cached speech of the accounts of a service provider',
  ),
}

/** The response is the audio. */
export const synthesize = defineRoute<{ body: SynthesisRequest; response: Blob }>()(
  'POST',
  '/Accounts/:account_sid/TtsCache/Synthesize',
  'Synthesize speech with a credential of the account',
  { status: 200 },
)

/** The same with any credential; administrators only. */
export const synthesizeWithAnyCredential = defineRoute<{ body: SynthesisRequest; response: Blob }>()(
  'POST',
  '/TtsCache/Synthesize',
  'Synthesize speech with any speech credential',
  { status: 200 },
)
