import { QueryClientProvider } from '@tanstack/react-query'
import { render as renderElement, screen, waitFor } from '@testing-library/react'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { expect, it, vi } from 'vitest'
import { GatewayCounts } from '../src/features/carriers/gateway-counts'
import { createQueryClient } from '../src/lib/query'
import { useBackend } from './render'

const captures = {
  findMessages: async () => ({ total: 2 }),
  findPcap: async (callId: string, dialogType: string) => Buffer.from(`${dialogType} ${callId}`),
}
const { render, requestAs, backend, testData } = useBackend({}, { captures })

/** A carrier row from a server that does not count gateways. */
const readRowWithoutCounts = async (sid: string): Promise<VoipCarrier> => {
  const {
    inbound_gateways: _,
    outbound_gateways: __,
    ...row
  } = await requestAs<VoipCarrier>('north', 'GET', `/VoipCarriers/${sid}`)
  return row
}

const renderCounts = async (row: VoipCarrier) => {
  await render('/nowhere', { as: 'provider' })
  renderElement(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <GatewayCounts row={row} />
    </QueryClientProvider>,
  )
}

it('requests the gateways if the row does not count them', async () => {
  await renderCounts(await readRowWithoutCounts(testData().acme.voip_carrier))
  expect(screen.getByText(messages.checkingGateways)).toBeTruthy()
  expect(await screen.findByText('1 inbound')).toBeTruthy()
  expect(screen.getByText('1 outbound')).toBeTruthy()
})

it('shows an error if the gateways cannot be loaded', async () => {
  await renderCounts({
    ...(await readRowWithoutCounts(testData().acme.voip_carrier)),
    voip_carrier_sid: testData().corp.voip_carrier,
  })
  expect(await screen.findByText(messages.gatewaysError)).toBeTruthy()
})

it('downloads the capture of the last registration', async () => {
  const { acme } = testData()
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
  const downloads: { name: string; content: Blob }[] = []
  let downloadedContent = new Blob()
  // a test has no disk to save to
  URL.createObjectURL = (blob) => ((downloadedContent = blob as Blob), 'blob:here')
  const clickSpy = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    downloads.push({ name: this.download, content: downloadedContent })
  })
  const { user } = await render(`/internal/carriers/${acme.voip_carrier}/edit`, { as: 'account' })
  expect(await screen.findByText('403 Forbidden')).toBeTruthy()
  await user.click(await screen.findByText('Download pcap'))
  await waitFor(() => expect(downloads).toHaveLength(1))
  expect(downloads[0]!.name).toBe('callid-one@host.pcap')
  expect(await downloads[0]!.content.text()).toBe('register one@host')
  clickSpy.mockRestore()
})
