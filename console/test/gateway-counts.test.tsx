import { QueryClientProvider } from '@tanstack/react-query'
import { render as draw, screen, waitFor } from '@testing-library/react'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { expect, it, vi } from 'vitest'
import { GatewayCounts } from '../src/features/carriers/gateway-counts'
import { createQueryClient } from '../src/lib/query'
import { useBackend } from './render'

const captures = {
  trace: async () => ({ total: 2 }),
  pcap: async (callId: string, dialogue: string) => Buffer.from(`${dialogue} ${callId}`),
}
const { render, ask, backend, world } = useBackend({}, { captures })

/** A carrier row from a server that does not count gateways. */
const uncounted = async (sid: string): Promise<VoipCarrier> => {
  const {
    inbound_gateways: _,
    outbound_gateways: __,
    ...row
  } = await ask<VoipCarrier>('north', 'GET', `/VoipCarriers/${sid}`)
  return row
}

const show = async (row: VoipCarrier) => {
  await render('/nowhere', { as: 'provider' })
  draw(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <GatewayCounts row={row} />
    </QueryClientProvider>,
  )
}

it('requests the gateways if the row does not count them', async () => {
  await show(await uncounted(world().acme.voip_carrier))
  expect(screen.getByText(messages.checkingGateways)).toBeTruthy()
  expect(await screen.findByText('1 inbound')).toBeTruthy()
  expect(screen.getByText('1 outbound')).toBeTruthy()
})

it('shows an error if the gateways cannot be loaded', async () => {
  await show({ ...(await uncounted(world().acme.voip_carrier)), voip_carrier_sid: world().corp.voip_carrier })
  expect(await screen.findByText(messages.gatewaysError)).toBeTruthy()
})

it('downloads the capture of the last registration', async () => {
  const { acme } = world()
  await backend()
    .database.db.updateTable('voip_carriers')
    .set({
      requires_register: 1,
      register_username: 'me',
      register_password: 'secret',
      register_status: JSON.stringify({ status: 'fail', reason: '403 Forbidden', callId: 'one@host' }),
    })
    .where('voip_carrier_sid', '=', acme.voip_carrier)
    .execute()
  const saved: { name: string; content: Blob }[] = []
  let content = new Blob()
  // a test has no disk to save to
  URL.createObjectURL = (given) => ((content = given as Blob), 'blob:here')
  const pressed = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content })
  })
  const { user } = await render(`/internal/carriers/${acme.voip_carrier}/edit`, { as: 'account' })
  expect(await screen.findByText('403 Forbidden')).toBeTruthy()
  await user.click(await screen.findByText('Download packet capture'))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]!.name).toBe('callid-one@host.pcap')
  expect(await saved[0]!.content.text()).toBe('register one@host')
  pressed.mockRestore()
})
