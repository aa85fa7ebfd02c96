import { addressKind, isIPv4 } from '@trunkline/contract/telephony/address'
import { defaultSipPort, netmaskMaximum, protocols } from '@trunkline/contract/telephony/gateways'
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Flag } from '../../fields/flag'
import { IconButton } from '../../ui/button'
import { FieldError } from '../../ui/field-error'
import { NumberCell, ProtocolCell, TextCell, TickCell } from './gateway-cells'
import css from './gateway-table.module.css'
import type { CarrierValues } from './values'

const fields = ['ipv4', 'port', 'netmask', 'inbound'] as const

export interface GatewayRowProps {
  at: number
  /** Something in the row changed: what was wrong in the table is looked at again. */
  onChanged: () => void
  onRemove: () => void
  readOnly: boolean
}

/** One SIP gateway: a line of cells, what is rarely needed below it, and what is wrong with it. */
export const GatewayRow = ({ at, onChanged, onRemove, readOnly }: GatewayRowProps) => {
  const path = `gateways.${at}` as const
  const name = `SIP gateway ${at + 1}`
  const { getValues, setValue, getFieldState, formState } = useFormContext<CarrierValues>()
  const row = useWatch<CarrierValues, typeof path>({ name: path })
  const [open, setOpen] = useState(Boolean(row.pad_crypto || row.send_options_ping))
  const id = useId()
  const faults = fields.flatMap((field) => {
    const message = getFieldState(`${path}.${field}`, formState).error?.message
    return message ? [{ field, message }] : []
  })
  const error = faults[0]?.message
  const cell = { describedBy: error ? `${id}-error` : undefined, onChanged, readOnly }
  const kind = addressKind(row.ipv4.trim())

  /** An address without a port is called at the usual one; a name is looked up with its port. */
  const fillPort = () => {
    const { ipv4, port } = getValues(path)
    if (port === null && isIPv4(ipv4.trim())) setValue(`${path}.port`, defaultSipPort, { shouldDirty: true })
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
        <NumberCell {...cell} name={`${path}.port`} label="Port" placeholder={String(defaultSipPort)} />
      </div>
      <div className={css.netmask}>
        <span className={css.word} aria-hidden="true">
          Netmask
        </span>
        <NumberCell
          {...cell}
          name={`${path}.netmask`}
          label="Netmask"
          placeholder={String(netmaskMaximum)}
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
      <TickCell {...cell} name={`${path}.inbound`} label="Inbound" />
      <TickCell {...cell} name={`${path}.outbound`} label="Outbound" />
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
      {/* kept when folded: what is in it is still the gateway's */}
      <div id={`${id}-more`} className={css.more} hidden={!open}>
        <Flag name={`${path}.pad_crypto`} label="Pad crypto" disabled={readOnly} />
        <Flag name={`${path}.send_options_ping`} label="Send OPTIONS ping" disabled={readOnly || !row.outbound} />
      </div>
      {error ? (
        <div className={css.error}>
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      ) : null}
    </div>
  )
}
