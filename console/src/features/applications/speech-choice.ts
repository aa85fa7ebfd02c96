import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { fallbackColumns, hasCatalogue, primaryColumns, type SpeechColumn } from '@trunkline/contract/speech/selection'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { sortVendors, vendorName, vendorsFor, isCustomVendor } from '@trunkline/contract/speech/vendors'
import type { SpeechCredentialName } from '@trunkline/contract/resources/speech-credential'
import { createContext, useContext, useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { useFormContext } from 'react-hook-form'
import { featureFlags } from '../../lib/feature-flags'
import { listsDelayMs } from './use-is-choice-stable'
import type { ApplicationValues } from './values'

/** The prefix of the columns: primary speech, or the fallback that is used if it fails. */
export type Place = '' | 'fallback_'

const used = (direction: Direction, { use_for_tts, use_for_stt }: SpeechCredentialName) =>
  direction === 'synthesis' ? use_for_tts !== 0 : use_for_stt !== 0

/** The vendor options: vendors that support the direction, the installation's custom ones, and the selected one. */
export const vendorOptions = (direction: Direction, credentials: SpeechCredentialName[] | null, present: string) => {
  const edition = featureFlags()
  const own = (credentials ?? []).filter((each) => isCustomVendor(each.vendor) && used(direction, each))
  const names = new Set([
    ...vendorsFor(direction, edition).map(({ vendor }) => vendor),
    ...(edition.customSpeech ? own.map(({ vendor }) => vendor) : []),
    ...(present ? [present] : []),
  ])
  return sortVendors(names).map((vendor) => ({ value: vendor, label: vendorName(vendor) }))
}

/** Returns the labels of a vendor's credentials. */
export const labelsOf = (direction: Direction, credentials: SpeechCredentialName[] | null, vendor: string) =>
  credentials &&
  credentials
    .filter((each) => each.vendor === vendor && used(direction, each))
    .flatMap(({ label }) => (label ? [{ value: label, name: label }] : []))

/** Returns the credential with this vendor and label that is used in this direction. An empty label means no label. */
export const credentialOf = (
  direction: Direction,
  credentials: SpeechCredentialName[] | null,
  vendor: string,
  label: string,
) => credentials?.find((each) => each.vendor === vendor && (each.label ?? '') === label && used(direction, each))

/** Returns the field label of a speech column, with a prefix for the fallback. */
export const labelIn = (place: Place, label: string) =>
  place === '' ? label : `Fallback ${label.charAt(0).toLowerCase()}${label.slice(1)}`

type Columns = Partial<Record<SpeechColumn, string | null>>

/** Counts the choices that wait for a vendor's catalogue. Speech and fallback cannot be swapped meanwhile. */
export const Waiting = createContext<Dispatch<SetStateAction<number>>>(() => undefined)

/**
 * Applies the consequences of a choice: clears the dependent columns at once, and fills them in when the vendor's
 * catalogue arrives.
 */
export const useFollow = (ask: (vendor: string, label: string) => Promise<Catalogue | null>) => {
  const { setValue, clearErrors } = useFormContext<ApplicationValues>()
  const turn = useRef(0)
  const [waits, setWaits] = useState(false)
  const count = useContext(Waiting)
  useEffect(() => {
    if (!waits) return
    count((others) => others + 1)
    return () => count((all) => all - 1)
  }, [waits, count])
  // unmounting cancels a pending fill
  useEffect(() => () => void (turn.current += 1), [])

  const setAll = (columns: Columns) => {
    const names = [...primaryColumns, ...fallbackColumns].filter((name) => columns[name] !== undefined)
    for (const name of names) setValue(name, columns[name] ?? null, { shouldDirty: true })
    return names
  }

  const put = (columns: Columns) => clearErrors(setAll(columns))

  const follow = async (vendor: string, label: string, fill: (catalogue: Catalogue | null) => Columns) => {
    turn.current += 1
    const mine = turn.current
    setWaits(true)
    if (hasCatalogue(vendor)) await new Promise((resolve) => setTimeout(resolve, listsDelayMs))
    if (mine !== turn.current) return
    const catalogue = await ask(vendor, label)
    // a newer choice has replaced this one
    if (mine !== turn.current) return
    const columns = fill(catalogue)
    // a save may have marked an empty column as missing meanwhile; keep that error
    clearErrors(setAll(columns).filter((name) => columns[name]))
    setWaits(false)
  }

  /** Cancels the pending fill of an earlier choice. */
  const stop = () => {
    turn.current += 1
    setWaits(false)
  }
  return { put, follow, stop }
}
