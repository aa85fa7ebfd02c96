import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/recording'
import { getFeatureFlags } from '../../../lib/feature-flags'
import { namedQueryKey } from '../../../lib/query-keys'
import type { RecordingSource } from './recording-source'

/** Size of the first request, which checks whether the recording is readable. */
const probeBytes = 65_536

/** A tenant sets this URL, so the request sends no token, no cookie and no referrer. */
const fetchAnonymously = (url: URL, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer' })

const createRangeHeader = (from: number, to: number) => ({ range: `bytes=${from}-${to - 1}` })

const createUnreadableSource = (url: URL, reason: string): RecordingSource => ({
  type: '',
  size: 0,
  playback: { externalUrl: url.href },
  unreadableReason: reason,
  readRange: () => Promise.reject(new Error(reason)),
})

/** The content security policy allows reading only from these origins. */
const isAllowedOrigin = ({ origin }: URL): boolean =>
  origin === window.location.origin || getFeatureFlags().recordingOrigins.includes(origin)

/**
 * Returns the size of a recording that is sent in parts. Not every server exposes the content-range header to other
 * origins.
 */
const getSize = async (response: Response, url: URL, signal: AbortSignal): Promise<number> => {
  const [, size] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (size !== undefined) return Number(size)
  const head = await fetchAnonymously(url, { method: 'HEAD', signal })
  return Number(head.headers.get('content-length') ?? 0)
}

const openRecording = async (url: URL, signal: AbortSignal): Promise<RecordingSource> => {
  const response = await fetchAnonymously(url, { headers: createRangeHeader(0, probeBytes), signal })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const type = response.headers.get('content-type') ?? ''
  if (response.status !== 206) {
    const file = await response.blob()
    const readFilePart = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer())
    return { type, size: file.size, playback: { file }, readRange: readFilePart }
  }
  await response.body?.cancel()
  return {
    type,
    size: await getSize(response, url, signal),
    playback: { externalUrl: url.href },
    readRange: async (from, to, rangeSignal) => {
      const part = await fetchAnonymously(url, { headers: createRangeHeader(from, to), signal: rangeSignal })
      if (part.status !== 206) throw new Error(`status ${part.status}`)
      return new Uint8Array(await part.arrayBuffer())
    },
  }
}

/** Loads the recording at a URL on another server. It can be played even if its bytes are not readable. */
export const useExternalRecording = (url: URL) =>
  useQuery({
    queryKey: namedQueryKey('recording', 'audio', url.href),
    queryFn: ({ signal }): Promise<RecordingSource> => {
      if (!isAllowedOrigin(url)) return Promise.resolve(createUnreadableSource(url, messages.notAllowed(url.origin)))
      return openRecording(url, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        return createUnreadableSource(url, messages.notReadable(url.host))
      })
    },
    staleTime: Infinity,
    gcTime: 0,
  })
