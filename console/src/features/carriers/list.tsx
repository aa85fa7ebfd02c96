import { sharedRecordsSid } from '@trunkline/contract/kit/page'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { Server } from 'lucide-react'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { useAccountFilter } from '../../kit/list/list-state'
import { RecordName } from '../../kit/record/record-name'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { CarrierStatus } from './carrier-status'
import { GatewayCounts } from './gateway-counts'
import { predefinedCarrierUrlFragment } from './predefined-carrier-select'
import { RegistrationStatus, isRegistered } from './registration-status'
import { useCarrierRemoval } from './carrier-removal'
import { updateCarrier } from './update-carrier'
import { createCarrierSource } from './carrier-source'
import { InboundDomainHint, useInboundDomain } from './inbound-domain-hint'

const getRegistrationRank = (row: VoipCarrier) => (row.requires_register ? Number(isRegistered(row)) : null)

const columns: ListColumn<VoipCarrier>[] = [
  {
    id: 'is_active',
    head: 'Status',
    width: 112,
    sortable: true,
    cell: (row) => <CarrierStatus row={row} />,
  },
  {
    id: 'registration',
    head: 'Registration',
    width: 136,
    value: getRegistrationRank,
    cell: (row) => (row.requires_register ? <RegistrationStatus row={row} /> : null),
  },
  {
    id: 'gateways',
    head: 'SIP gateways',
    width: 184,
    value: (row) => row.inbound_gateways,
    cell: (row) => <GatewayCounts row={row} />,
  },
]

const accountColumn: ListColumn<VoipCarrier> = {
  id: 'account_name',
  head: 'Used by',
  minWidth: 160,
  sortable: true,
  mutedText: true,
  cell: (row) => <RecordName kind="account" row={row} emptyLabel="All accounts" link />,
}

/** All carriers that the signed-in user may see. */
export const CarrierList = () => {
  const actor = useActor()
  const can = useCan()
  const service_provider_sid = useProviderSid()
  const removeOptions = useCarrierRemoval()
  const accountFilter = useAccountFilter()
  const filterAccountSid = accountFilter === sharedRecordsSid ? null : accountFilter || null
  const account_sid = actor.scope === 'account' ? actor.account_sid : filterAccountSid
  const inboundDomain = useInboundDomain(account_sid)
  const owner = { service_provider_sid, account_sid: actor.scope === 'account' ? account_sid : null }
  return (
    <ResourceList
      resource={voipCarrier}
      title="Carriers"
      description={inboundDomain ? <InboundDomainHint domain={inboundDomain} /> : null}
      source={createCarrierSource(actor, service_provider_sid)}
      columns={actor.scope === 'account' ? columns : [...columns, accountColumn]}
      loadColumns={() => import('../../panels/record-counts/count-columns').then((module) => module.carrierColumns)}
      renderAccountFilter={(value, onChange) => (
        <AccountFilter label="Used by" hasSharedRecords {...{ value, onChange }} />
      )}
      viewPath={(row) => paths.carriers.view(row.voip_carrier_sid)}
      editPath={(row) => paths.carriers.edit(row.voip_carrier_sid)}
      add={{ href: paths.carriers.add, label: 'Add carrier' }}
      setActive={({ voip_carrier_sid }, is_active) =>
        updateCarrier(actor, { service_provider_sid }, voip_carrier_sid, { is_active })
      }
      removeOptions={removeOptions}
      empty={{
        title: messages.none,
        icon: Server,
        text: 'A carrier connects your calls to the telephone network. Start from a predefined carrier or enter your own gateways.',
        children: can('create', 'voip_carrier', owner) ? (
          <ButtonLink href={`${paths.carriers.add}${predefinedCarrierUrlFragment}`}>
            {messages.choosePredefined}
          </ButtonLink>
        ) : null,
      }}
    />
  )
}
