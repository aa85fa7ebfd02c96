import type { Vendor } from '@trunkline/contract/speech/vendor'
import { isOffered, getVendorName } from '@trunkline/contract/speech/vendors'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import { useId } from 'react'
import { useBoundField } from '../../fields/use-bound-field'
import { getFeatureFlags } from '../../lib/feature-flags'
import { FieldMessage } from '../../ui/form/field-message'
import { Monogram } from '../../ui/monogram'
import { VendorMonogram } from './vendor-monogram'
import css from './vendor-tiles.module.css'

const formatDirections = ({ synthesis, recognition }: Vendor) =>
  [synthesis ? 'TTS' : '', recognition ? 'STT' : ''].filter(Boolean).join(', ')

/** Returns the vendors that the feature flags of the installation allow. */
const listOfferedVendors = () => vendors.filter((vendor) => isOffered(vendor, getFeatureFlags()))

/** A tile for each vendor, to select one. */
export const VendorTiles = ({ onSelect }: { onSelect: (vendor: Vendor) => void }) => {
  const { field, value, error } = useBoundField({ name: 'vendor', label: 'Vendor', required: true })
  const id = useId()
  return (
    <div
      role="radiogroup"
      tabIndex={-1}
      ref={field.ref}
      aria-labelledby={`${id}-label`}
      aria-required="true"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      className={css.group}
    >
      <span id={`${id}-label`} className={css.label}>
        Vendor
        <span aria-hidden="true" className={css.asterisk}>
          {' '}
          *
        </span>
      </span>
      <div className={css.tiles}>
        {listOfferedVendors().map((vendor) => (
          <label key={vendor.vendor} className={css.tile} data-selected={value === vendor.vendor || undefined}>
            <input
              type="radio"
              name={field.name}
              aria-label={vendor.name}
              className={css.input}
              checked={value === vendor.vendor}
              onChange={() => onSelect(vendor)}
              onBlur={field.onBlur}
            />
            <Monogram name={vendor.name} />
            <span className={css.text}>
              <span className={css.name}>{vendor.name}</span>
              <span className={css.directions}>{formatDirections(vendor)}</span>
            </span>
          </label>
        ))}
      </div>
      {error ? <FieldMessage id={`${id}-error`}>{error}</FieldMessage> : null}
    </div>
  )
}

/** The vendor of a stored service, which is fixed. */
export const FixedVendor = ({ storedVendor, vendor }: { storedVendor: string; vendor: Vendor | undefined }) => (
  <div className={css.fixedVendor} role="group" aria-label="Vendor">
    <VendorMonogram vendor={storedVendor} />
    <span className={css.text}>
      <span className={css.name}>{getVendorName(storedVendor)}</span>
      {vendor ? <span className={css.directions}>{formatDirections(vendor)}</span> : null}
    </span>
  </div>
)
