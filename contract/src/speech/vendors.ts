import type { Direction, Vendor } from './vendor'
import { vendors } from './vendors/all'

/** The prefix of vendors that an installation adds. */
export const customPrefix = 'custom:'

/** Whether an installation added this vendor. Only its credentials describe it. */
export const isCustomVendor = (vendor: string): boolean => vendor.startsWith(customPrefix)

/** The description of a vendor, by the identifier that credentials and applications store. */
export const findVendorById = (vendor: string): Vendor | undefined =>
  isCustomVendor(vendor)
    ? vendors.find((candidate) => candidate.isNamedByInstallation)
    : vendors.find((candidate) => candidate.vendor === vendor && !candidate.isNamedByInstallation)

/** The display name of a vendor. */
export const getVendorName = (vendor: string): string =>
  isCustomVendor(vendor) ? `${vendor.slice(customPrefix.length)} (custom)` : (findVendorById(vendor)?.name ?? vendor)

/** Whether the vendor offers custom voices that are trained for a customer. */
export const hasCustomVoices = (vendor: string): boolean => findVendorById(vendor)?.hasCustomVoices === true

/** The feature flags for speech: see `FeatureFlags`. */
export interface SpeechFlags {
  customSpeech: boolean
  additionalSpeech: boolean
}

/** Whether an edition offers the vendor. */
export const isOffered = (
  { isNamedByInstallation, isAdditional }: Vendor,
  { customSpeech, additionalSpeech }: SpeechFlags,
): boolean => (!isNamedByInstallation || customSpeech) && (!isAdditional || additionalSpeech)

const compareNames = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'base' })

/** Sorts vendor identifiers by display name. */
export const sortVendors = (vendorIds: Iterable<string>): string[] =>
  [...vendorIds].sort((a, b) => compareNames(getVendorName(a), getVendorName(b)))

/** The vendors that an edition offers for a direction. Custom vendors come from credentials instead. */
export const listVendors = (direction: Direction, flags: SpeechFlags): readonly Vendor[] =>
  vendors.filter((vendor) => vendor[direction] !== null && !vendor.isNamedByInstallation && isOffered(vendor, flags))
