import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/recording'
import { featureFlags } from '../../../lib/feature-flags'
import type { RecordingSource } from './recording-source'

/** Size of the first request, which checks whether the recording is readable. */
const probeBytes = 65_536

/** A tenant sets this URL, so the request sends no token, no cookie and no referrer. */
const request = (address: URL, init: RequestInit): Promise<Response> =>
  fetch(address, { ...init, mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer' })

const rangeOf = (from: number, to: number) => ({ range: `bytes=${from}-${to - 1}` })

const createUnreadable = (address: URL, reason: string): RecordingSource => ({
  type: '',
  size: 0,
  from: { external: address.href },
  unreadable: reason,
  read: () => Promise.reject(new Error(reason)),
})

/** The content security policy allows reading only from these origins. */
const isAllowed = ({ origin }: URL): boolean =>
  origin === window.location.origin || featureFlags().recordingOrigins.includes(origin)

/**
 * Returns the size of a recording that is sent in parts. Not every server exposes the content-range header to other
 * origins.
 */
const sizeOf = async (response: Response, address: URL, signal: AbortSignal): Promise<number> => {
  const [, size] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (size !== undefined) return Number(size)
  const head = await request(address, { method: 'HEAD', signal })
  return Number(head.headers.get('content-length') ?? 0)
}

const openRecording = async (address: URL, signal: AbortSignal): Promise<RecordingSource> => {
  const response = await request(address, { headers: rangeOf(0, probeBytes), signal })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const type = response.headers.get('content-type') ?? ''
  if (response.status !== 206) {
    const file = await response.blob()
    const part = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer())
    return { type, size: file.size, from: { file }, read: part }
  }
  await response.body?.cancel()
  return {
    type,
    size: await sizeOf(response, address, signal),
    from: { external: address.href },
    read: async (from, to, rangeSignal) => {
      const part = await request(address, { headers: rangeOf(from, to), signal: rangeSignal })
      if (part.status !== 206) throw new Error(`status ${part.status}`)
      return new Uint8Array(await part.arrayBuffer())
    },
  }
}

/** Loads the recording at a URL on another server. It can be played even if its bytes are not readable. */
export const useExternalRecording = (address: URL) =>
  useQuery({
    queryKey: ['recording', address.href],
    queryFn: ({ signal }): Promise<RecordingSource> => {
      if (!isAllowed(address)) return Promise.resolve(createUnreadable(address, messages.notAllowed(address.origin)))
      return openRecording(address, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        return createUnreadable(address, messages.notReadable(address.host))
      })
    },
    staleTime: Infinity,
    gcTime: 0,
  })
