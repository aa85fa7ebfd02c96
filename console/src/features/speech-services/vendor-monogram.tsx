import { customPrefix, isCustomVendor, getVendorName } from '@trunkline/contract/speech/vendors'
import { Monogram } from '../../ui/monogram'

/** The monogram of a stored vendor, with the plain name of a custom one. */
export const VendorMonogram = ({ vendor }: { vendor: string }) => (
  <Monogram name={isCustomVendor(vendor) ? vendor.slice(customPrefix.length) : getVendorName(vendor)} />
)
