import { addressKind, isIPv4 } from '@trunkline/contract/telephony/address'
import { defaultSipPort, isIdentifiedByAddress, maxNetmask, protocols } from '@trunkline/contract/telephony/gateways'
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Flag } from '../../fields/flag'
import { IconButton } from '../../ui/button'
import { FieldError } from '../../ui/field-error'
import { NumberCell, ProtocolCell, TextCell, TickCell } from './gateway-cells'
import css from './gateway-table.module.css'
import { isSecure, type GatewayValues } from './gateways'
import type { CarrierValues } from './values'

const fields = ['ipv4', 'port', 'netmask', 'inbound'] as const

/** What is rarely needed. */
const rare = { pad_crypto: 'Pad crypto', send_options_ping: 'Send OPTIONS ping' } as const
/** What has a meaning only where what is sent is encrypted. */
const secure = { use_sips_scheme: 'Use sips: scheme', remove_ice: 'Remove ICE', dtls_off: 'Turn DTLS off' } as const

type Rare = keyof typeof rare | keyof typeof secure

const rareOf = (row: GatewayValues) => Object.entries({ ...rare, ...(isSecure(row) ? secure : {}) }) as [Rare, string][]

export interface GatewayRowProps {
  at: number
  /** Which of those on screen it is, from 1. */
  number: number
  /** Something in the row changed: what was wrong in the table is looked at again. */
  onChanged: () => void
  onRemove: () => void
  readOnly: boolean
}

/** One SIP gateway: a line of cells, what is rarely needed below it, and what is wrong with it. */
export const GatewayRow = ({ at, number, onChanged, onRemove, readOnly }: GatewayRowProps) => {
  const path = `gateways.${at}` as const
  const name = `SIP gateway ${number}`
  const { getValues, setValue, getFieldState, formState } = useFormContext<CarrierValues>()
  const row = useWatch<CarrierValues, typeof path>({ name: path })
  const trunk = useWatch<CarrierValues, 'trunk_type'>({ name: 'trunk_type' })
  const [open, setOpen] = useState(() => rareOf(row).some(([field]) => row[field]))
  const id = useId()
  const faults = fields.flatMap((field) => {
    const message = getFieldState(`${path}.${field}`, formState).error?.message
    return message ? [{ field, message }] : []
  })
  const error = faults[0]?.message
  const cell = { describedBy: error ? `${id}-error` : undefined, onChanged, readOnly }
  const kind = addressKind(row.ipv4.trim())

  const hasDefaultPort = useRef(false)
  /** An address without a port is called at the usual one; a name is looked up with its port. */
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
  const Chevron = open ? ChevronUp : ChevronDown
  return (
    <div className={css.row} role="group" aria-label={name} data-wrong={error ? true : undefined}>
      <div className={css.address}>
        <span className={css.word} aria-hidden="true">
          Address
        </span>
        <TextCell
          {...cell}
          name={`${path}.ipv4`}
          label="Address"
          placeholder="IP address or domain name"
          onLeft={fillPort}
        />
      </div>
      <div className={css.port}>
        <span className={css.word} aria-hidden="true">
          Port
        </span>
        <NumberCell
          {...cell}
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
          {...cell}
          name={`${path}.netmask`}
          label="Netmask"
          placeholder={String(maxNetmask)}
          // a name stands for whatever it is looked up to be: there is nothing to mask
          without={kind === 'fqdn' || kind === 'fqdn-top-level'}
        />
      </div>
      <div className={css.protocol}>
        <span className={css.word} aria-hidden="true">
          Protocol
        </span>
        <ProtocolCell
          {...cell}
          name={`${path}.protocol`}
          label="Protocol"
          options={protocols}
          without={!row.outbound}
        />
      </div>
      <TickCell {...cell} name={`${path}.is_active`} label="Active" />
      {/* a carrier that is not known by its address is only called */}
      <TickCell {...cell} name={`${path}.inbound`} label="Inbound" without={!isIdentifiedByAddress(trunk)} />
      <TickCell
        {...cell}
        name={`${path}.outbound`}
        label="Outbound"
        readOnly={readOnly || !isIdentifiedByAddress(trunk)}
      />
      <div className={css.tools}>
        <IconButton
          icon={Chevron}
          glyph={14}
          label={`More settings of ${name}`}
          aria-expanded={open}
          aria-controls={`${id}-more`}
          onClick={() => setOpen(!open)}
        />
        {readOnly ? null : <IconButton icon={Trash2} glyph={14} label={`Delete ${name}`} onClick={onRemove} />}
      </div>
      <div id={`${id}-more`} className={css.more} hidden={!open}>
        {open
          ? rareOf(row).map(([field, label]) => (
              <Flag
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
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      ) : null}
    </div>
  )
}
