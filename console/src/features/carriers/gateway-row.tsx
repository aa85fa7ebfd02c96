import { classifyAddress, isIPv4 } from '@trunkline/contract/telephony/address'
import { defaultSipPort, isIdentifiedByAddress, maxNetmask, protocols } from '@trunkline/contract/telephony/gateways'
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { FlagField } from '../../fields/flag-field'
import { IconButton } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { NumberCell, ProtocolCell, TextCell, TickCell } from './gateway-cells'
import css from './gateway-table.module.css'
import { isSecure, type GatewayValues } from './gateways'
import type { CarrierValues } from './values'

const errorFields = ['ipv4', 'port', 'netmask', 'inbound'] as const

/** Settings that are rarely needed. */
const advancedLabels = { pad_crypto: 'Pad crypto', send_options_ping: 'Send OPTIONS ping' } as const
/** Settings that apply only to encrypted signalling. */
const secureLabels = {
  use_sips_scheme: 'Use sips: scheme',
  remove_ice: 'Remove ICE',
  dtls_off: 'Turn DTLS off',
} as const

type AdvancedSetting = keyof typeof advancedLabels | keyof typeof secureLabels

const advancedSettings = (row: GatewayValues) =>
  Object.entries({ ...advancedLabels, ...(isSecure(row) ? secureLabels : {}) }) as [AdvancedSetting, string][]

export interface GatewayRowProps {
  index: number
  /** Position among the visible rows, from 1. */
  number: number
  /** Called after each change, to validate the table again. */
  onChanged: () => void
  onRemove: () => void
  readOnly: boolean
}

/** One SIP gateway: its cells, the rarely needed settings below, and its error message. */
export const GatewayRow = ({ index, number, onChanged, onRemove, readOnly }: GatewayRowProps) => {
  const path = `gateways.${index}` as const
  const name = `SIP gateway ${number}`
  const { getValues, setValue, getFieldState, formState } = useFormContext<CarrierValues>()
  const row = useWatch<CarrierValues, typeof path>({ name: path })
  const trunk = useWatch<CarrierValues, 'trunk_type'>({ name: 'trunk_type' })
  const [isOpen, setIsOpen] = useState(() => advancedSettings(row).some(([field]) => row[field]))
  const id = useId()
  const fieldErrors = errorFields.flatMap((field) => {
    const message = getFieldState(`${path}.${field}`, formState).error?.message
    return message ? [{ field, message }] : []
  })
  const error = fieldErrors[0]?.message
  const cellProps = { describedBy: error ? `${id}-error` : undefined, onChanged, readOnly }
  const kind = classifyAddress(row.ipv4.trim())

  const hasDefaultPort = useRef(false)
  /** Fills in the default port for an IP address. A hostname keeps an empty port, because DNS may return one. */
  const fillPort = () => {
    const { ipv4, port } = getValues(path)
    if (port !== null || !isIPv4(ipv4.trim())) return
    setValue(`${path}.port`, defaultSipPort, { shouldDirty: true })
    hasDefaultPort.current = true
  }
  /** Selects the default port on the first click, so that typing replaces it. */
  const selectDefaultPort = (input: HTMLInputElement) => {
    if (hasDefaultPort.current) input.select()
    hasDefaultPort.current = false
  }
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <div className={css.row} role="group" aria-label={name} data-wrong={error ? true : undefined}>
      <div className={css.address}>
        <span className={css.word} aria-hidden="true">
          Address
        </span>
        <TextCell
          {...cellProps}
          name={`${path}.ipv4`}
          label="Address"
          placeholder="IP address or domain name"
          onLeave={fillPort}
        />
      </div>
      <div className={css.port}>
        <span className={css.word} aria-hidden="true">
          Port
        </span>
        <NumberCell
          {...cellProps}
          name={`${path}.port`}
          label="Port"
          placeholder={String(defaultSipPort)}
          onClick={selectDefaultPort}
        />
      </div>
      <div className={css.netmask}>
        <span className={css.word} aria-hidden="true">
          Netmask
        </span>
        <NumberCell
          {...cellProps}
          name={`${path}.netmask`}
          label="Netmask"
          placeholder={String(maxNetmask)}
          // a netmask does not apply to a hostname
          isUnused={kind === 'fqdn' || kind === 'fqdn-top-level'}
        />
      </div>
      <div className={css.protocol}>
        <span className={css.word} aria-hidden="true">
          Protocol
        </span>
        <ProtocolCell
          {...cellProps}
          name={`${path}.protocol`}
          label="Protocol"
          options={protocols}
          isUnused={!row.outbound}
        />
      </div>
      <TickCell {...cellProps} name={`${path}.is_active`} label="Active" />
      {/* other trunk types identify the carrier by other means, so their gateways are outbound only */}
      <TickCell {...cellProps} name={`${path}.inbound`} label="Inbound" isUnused={!isIdentifiedByAddress(trunk)} />
      <TickCell
        {...cellProps}
        name={`${path}.outbound`}
        label="Outbound"
        readOnly={readOnly || !isIdentifiedByAddress(trunk)}
      />
      <div className={css.tools}>
        <IconButton
          icon={Chevron}
          iconSize={14}
          label={`More settings of ${name}`}
          aria-expanded={isOpen}
          aria-controls={`${id}-more`}
          onClick={() => setIsOpen(!isOpen)}
        />
        {readOnly ? null : <IconButton icon={Trash2} iconSize={14} label={`Delete ${name}`} onClick={onRemove} />}
      </div>
      <div id={`${id}-more`} className={css.more} hidden={!isOpen}>
        {isOpen
          ? advancedSettings(row).map(([field, label]) => (
              <FlagField
                key={field}
                name={`${path}.${field}`}
                label={label}
                disabled={readOnly || (field === 'send_options_ping' && !row.outbound)}
              />
            ))
          : null}
      </div>
      {error ? (
        <div className={css.error}>
          <FieldMessage id={`${id}-error`}>{error}</FieldMessage>
        </div>
      ) : null}
    </div>
  )
}
