import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { fallbackColumns, primaryColumns, type SpeechColumn } from './speech-columns'
import { hasCatalogue } from './speech-selection'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { sortVendors, getVendorName, listVendors, isCustomVendor } from '@trunkline/contract/speech/vendors'
import type { SpeechCredentialName } from '@trunkline/contract/resources/speech-credential'
import { createContext, useContext, useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { useFormContext } from 'react-hook-form'
import { getFeatureFlags } from '../../lib/feature-flags'
import { catalogueDelayMs } from './use-is-choice-stable'
import type { ApplicationValues } from './values'

/** The prefix of the columns: primary speech, or the fallback that is used if it fails. */
export type ColumnPrefix = '' | 'fallback_'

const isUsedFor = (direction: Direction, { use_for_tts, use_for_stt }: SpeechCredentialName) =>
  direction === 'synthesis' ? use_for_tts !== 0 : use_for_stt !== 0

/** The vendor options: vendors that support the direction, the installation's custom ones, and the selected one. */
export const listVendorOptions = (
  direction: Direction,
  credentials: SpeechCredentialName[] | null,
  currentVendor: string,
) => {
  const flags = getFeatureFlags()
  const customCredentials = (credentials ?? []).filter(
    (credential) => isCustomVendor(credential.vendor) && isUsedFor(direction, credential),
  )
  const vendors = new Set([
    ...listVendors(direction, flags).map(({ vendor }) => vendor),
    ...(flags.customSpeech ? customCredentials.map(({ vendor }) => vendor) : []),
    ...(currentVendor ? [currentVendor] : []),
  ])
  return sortVendors(vendors).map((vendor) => ({ value: vendor, label: getVendorName(vendor) }))
}

/** Returns the labels of a vendor's credentials. */
export const listLabels = (direction: Direction, credentials: SpeechCredentialName[] | null, vendor: string) =>
  credentials &&
  credentials
    .filter((credential) => credential.vendor === vendor && isUsedFor(direction, credential))
    .flatMap(({ label }) => (label ? [{ value: label, name: label }] : []))

/** Returns the credential with this vendor and label that is used in this direction. An empty label means no label. */
export const findCredential = (
  direction: Direction,
  credentials: SpeechCredentialName[] | null,
  vendor: string,
  label: string,
) =>
  credentials?.find(
    (credential) =>
      credential.vendor === vendor && (credential.label ?? '') === label && isUsedFor(direction, credential),
  )

/** Returns the field label of a speech column, with a prefix for the fallback. */
export const formatColumnLabel = (prefix: ColumnPrefix, label: string) =>
  prefix === '' ? label : `Fallback ${label.charAt(0).toLowerCase()}${label.slice(1)}`

type ColumnValues = Partial<Record<SpeechColumn, string | null>>

/**
 * Sets the number of selections that wait for a vendor's catalogue. Speech and fallback cannot be swapped meanwhile.
 */
export const PendingFillsContext = createContext<Dispatch<SetStateAction<number>>>(() => undefined)

/**
 * Updates the columns that depend on a selected vendor or label: clears them at once, and fills them in when the
 * vendor's catalogue arrives.
 */
export const useDependentColumns = (fetchCatalogue: (vendor: string, label: string) => Promise<Catalogue | null>) => {
  const { setValue, clearErrors } = useFormContext<ApplicationValues>()
  const latestFillId = useRef(0)
  const [isPending, setIsPending] = useState(false)
  const setPendingFills = useContext(PendingFillsContext)
  useEffect(() => {
    if (!isPending) return
    setPendingFills((count) => count + 1)
    return () => setPendingFills((count) => count - 1)
  }, [isPending, setPendingFills])
  // unmounting cancels a pending fill
  useEffect(() => () => void (latestFillId.current += 1), [])

  const writeColumns = (columns: ColumnValues) => {
    const names = [...primaryColumns, ...fallbackColumns].filter((name) => columns[name] !== undefined)
    for (const name of names) setValue(name, columns[name] ?? null, { shouldDirty: true })
    return names
  }

  const setColumns = (columns: ColumnValues) => clearErrors(writeColumns(columns))

  const fillFromCatalogue = async (
    vendor: string,
    label: string,
    getColumns: (catalogue: Catalogue | null) => ColumnValues,
  ) => {
    latestFillId.current += 1
    const fillId = latestFillId.current
    setIsPending(true)
    if (hasCatalogue(vendor)) await new Promise((resolve) => setTimeout(resolve, catalogueDelayMs))
    if (fillId !== latestFillId.current) return
    const catalogue = await fetchCatalogue(vendor, label)
    // a newer choice has replaced this one
    if (fillId !== latestFillId.current) return
    const columns = getColumns(catalogue)
    // a save may have marked an empty column as missing meanwhile; keep that error
    clearErrors(writeColumns(columns).filter((name) => columns[name]))
    setIsPending(false)
  }

  /** Cancels the pending fill of an earlier choice. */
  const cancelFill = () => {
    latestFillId.current += 1
    setIsPending(false)
  }
  return { setColumns, fillFromCatalogue, cancelFill }
}
