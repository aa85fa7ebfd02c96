import { useQuery } from '@tanstack/react-query'
import { buildRecordingPath, resolveRecordingUrl, type StoredRecording } from '@trunkline/contract/calls/recording'
import { recordingOfAccount } from '@trunkline/contract/resources/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { RecordingTicket } from '@trunkline/contract/shapes/recording'
import { capabilitiesQuery } from '../../../lib/server-capabilities'
import { request, fetchRange } from '../../../lib/client'
import { getFeatureFlags } from '../../../lib/feature-flags'
import { Problem } from '../../../lib/problem'
import { namedQueryKey } from '../../../lib/query-keys'

/**
 * A recording that can be played. It is streamed if the server supports that, otherwise downloaded completely first.
 */
export interface RecordingSource {
  type: string
  /** Bytes. */
  size: number
  /** The source for playback: a signed URL of the API, the file itself, or a file on another server. */
  playback: { url: string } | { file: Blob } | { externalUrl: string }
  /** Why the bytes can't be read. Playback may still work. */
  unreadableReason?: string
  /** Reads a range of bytes; `to` is exclusive. */
  readRange: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>
}

/**
 * The route also accepts a ticket without a session; this variant sends the session's token, to fetch the whole file.
 */
const readWithToken = { ...recordingOfAccount.read, isPublic: false }

const createParams = ({ account_sid, name }: StoredRecording) => ({ account_sid, ...name })

/** Returns the location of a call's recording; undefined if the record has no usable URL. */
export const locateRecording = (row: RecentCall) =>
  resolveRecordingUrl(row.recording_url ?? '', new URL(getFeatureFlags().apiBaseUrl, window.location.href).href, row)

/** Fetches the whole file. */
export const fetchFile = async (stored: StoredRecording, signal?: AbortSignal): Promise<Blob> => {
  const file = await request(readWithToken, { params: createParams(stored), signal })
  if (file instanceof Blob) return file
  throw new Problem(404, undefined)
}

/** Returns a URL that opens the recording without a token. Fails if the recording does not exist. */
export const signRecording = (stored: StoredRecording, signal?: AbortSignal): Promise<RecordingTicket> =>
  request(recordingOfAccount.createTicket, { params: createParams(stored), signal })

export const deleteRecording = (stored: StoredRecording) =>
  request(recordingOfAccount.remove, { params: createParams(stored) })

const openSigned = async (stored: StoredRecording, signal: AbortSignal): Promise<RecordingSource> => {
  const { address, type, size } = await signRecording(stored, signal)
  return {
    type,
    size,
    playback: { url: getFeatureFlags().apiBaseUrl + address },
    readRange: async (from, to, rangeSignal) => new Uint8Array(await fetchRange(address, from, to, rangeSignal)),
  }
}

const openFetched = async (stored: StoredRecording, signal: AbortSignal): Promise<RecordingSource> => {
  const file = await fetchFile(stored, signal)
  return {
    type: file.type,
    size: file.size,
    playback: { file },
    readRange: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  }
}

export const recordingKey = ({ account_sid, name }: StoredRecording) =>
  namedQueryKey('recording', 'audio', buildRecordingPath(account_sid, name))

/** Loads a recording that the API serves; null if it does not exist. */
export const useRecordingSource = (stored: StoredRecording) =>
  useQuery({
    queryKey: recordingKey(stored),
    queryFn: async ({ signal, client }): Promise<RecordingSource | null> => {
      const { recordings } = await client.ensureQueryData(capabilitiesQuery)
      try {
        return await (recordings ? openSigned : openFetched)(stored, signal)
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null
        throw error
      }
    },
    // keep the file only while it is displayed, because it can have hundreds of megabytes
    staleTime: Infinity,
    gcTime: 0,
  })
