import { useQuery } from '@tanstack/react-query'
import { recordingPlace } from '@trunkline/contract/calls/recording'
import { recordingOfAccount, recordingOfProvider } from '@trunkline/contract/resources/recording'
import type { SignedRecording } from '@trunkline/contract/shapes/recording'
import { abilitiesQuery } from '../../../lib/abilities'
import { exchange, stretchOf } from '../../../lib/client'
import { features } from '../../../lib/features'
import { Problem } from '../../../lib/problem'

/** A recording as it can be heard: sent as it is wanted where the server can do that, else fetched whole before. */
export interface Sound {
  type: string
  /** Bytes. */
  size: number
  /** What a player plays: below the API, or the file itself. */
  from: { address: string } | { file: Blob }
  /** Some of its bytes; `to`: the byte behind the last. */
  read: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>
}

/** A call record gives the whole path; what is called is one of these, but there. */
const at = (path: string) => {
  // a part that is to be filled in begins with a colon, and this path has none
  const place = path.replaceAll(':', '%3A')
  const [below, query = ''] = place.split('?')
  return {
    read: { ...recordingOfProvider.read, path: place },
    remove: { ...recordingOfAccount.remove, path: place },
    sign: { ...recordingOfAccount.sign, path: `${below}/address${query && `?${query}`}` },
  }
}

/** Where a recording is, seen from here; undefined for what is no address. */
export const placeOf = (recording_url: string) =>
  recordingPlace(recording_url, new URL(features().apiBaseUrl, window.location.href).href)

/** The whole file. */
export const fetchFile = async (path: string, signal?: AbortSignal): Promise<Blob> => {
  const file = await exchange(at(path).read, { signal })
  if (file instanceof Blob) return file
  throw new Problem(404, undefined)
}

/** An address that opens the recording without a token; there is none for what is not there. */
export const signSound = async (path: string, signal?: AbortSignal): Promise<SignedRecording> =>
  (await exchange(at(path).sign, { signal })) as SignedRecording

export const removeSound = (path: string) => exchange(at(path).remove)

const signed = async (path: string, signal: AbortSignal): Promise<Sound> => {
  const { address, type, size } = await signSound(path, signal)
  return {
    type,
    size,
    from: { address: features().apiBaseUrl + address },
    read: async (from, to, wanted) => new Uint8Array(await stretchOf(address, from, to, wanted)),
  }
}

const fetched = async (path: string, signal: AbortSignal): Promise<Sound> => {
  const file = await fetchFile(path, signal)
  return {
    type: file.type,
    size: file.size,
    from: { file },
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  }
}

export const soundKey = (path: string) => ['recording', path]

/** The sound at a path below the API; null when it is not there. */
export const useSound = (path: string) =>
  useQuery({
    queryKey: soundKey(path),
    queryFn: async ({ signal, client }): Promise<Sound | null> => {
      const { recordings } = await client.ensureQueryData(abilitiesQuery)
      try {
        return await (recordings ? signed : fetched)(path, signal)
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null
        throw error
      }
    },
    // as long as it is looked at; a file of hundreds of megabytes is not kept for later
    staleTime: Infinity,
    gcTime: 0,
  })
