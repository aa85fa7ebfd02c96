import { customPrefix, isCustomVendor, vendorName } from '@trunkline/contract/speech/vendors'
import { Monogram } from '../../ui/monogram'

/** The mark of a vendor as it is stored; one that an installation added goes by its own name. */
export const VendorMark = ({ vendor }: { vendor: string }) => (
  <Monogram name={isCustomVendor(vendor) ? vendor.slice(customPrefix.length) : vendorName(vendor)} />
)
