import { route } from '../kit/route'
import type { TtsCache } from '../shapes/tts-cache'

export const ttsCache = {
  read: route<{ answer: TtsCache }>()('GET', '/TtsCache', 'Count the cached speech of the platform'),
  clear: route()('DELETE', '/TtsCache', 'Forget the cached speech of the platform'),
}

export const ttsCacheOfAccount = {
  read: route<{ answer: TtsCache }>()(
    'GET',
    '/Accounts/:account_sid/TtsCache',
    'Count the cached speech of an account',
  ),
  clear: route()('DELETE', '/Accounts/:account_sid/TtsCache', 'Forget the cached speech of an account'),
}
