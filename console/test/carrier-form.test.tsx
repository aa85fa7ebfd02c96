import { screen, waitFor, within } from '@testing-library/react'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/carrier'
import { messages as general } from '@trunkline/contract/messages/general'
import { describe, expect, it } from 'vitest'
import { useBackend, type Screen } from './render'

const { render, ask, world } = useBackend({ minimumNetmask: 24 })

type User = Screen['user']

const gateway = (at: number) => within(screen.getByLabelText(`SIP gateway ${at}`))

const fill = async (user: User, input: HTMLElement, text: string) => {
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
  await user.tab()
}

const option = (name: string) => screen.findByRole('option', { name, hidden: true })

const save = (user: User) => user.click(screen.getByText('Save'))

const said = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))

const carriers = () => ask<VoipCarrier[]>('north', 'GET', '/VoipCarriers')
const called = async (name: string) => (await carriers()).find((row) => row.name === name)
const gatewaysOf = (sid: string) => ask<SipGateway[]>('north', 'GET', `/SipGateways?voip_carrier_sid=${sid}`)

describe('adding a carrier', () => {
  it('makes one of what is known in advance and opens it', async () => {
    const { user, address } = await render('/internal/carriers/add', { as: 'provider' })
    await user.click(await screen.findByRole('combobox', { name: 'Predefined carrier' }))
    await user.click(await option('Twilio'))
    await said(messages.added)
    expect(await screen.findByRole('heading', { level: 1, name: 'Edit carrier' })).toBeTruthy()
    const made = await called('Twilio')
    await waitFor(() => expect(address()).toBe(`/internal/carriers/${made?.voip_carrier_sid}/edit`))
    expect(made?.account_sid).toBeNull()
    // its own domain is left to be filled in, and said to be
    await said(messages.gateway.invalidAddress)
    expect(gateway(1).getByLabelText<HTMLInputElement>('Address').value).not.toBe('')
  })

  it('gives an account user a carrier of the account', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'bolt' })
    await user.click(await screen.findByRole('combobox', { name: 'Predefined carrier' }))
    await user.click(await option('Simwood'))
    await said(messages.added)
    expect((await called('Simwood'))?.account_sid).toBe(world().accounts.bolt)
  })

  it('takes one by hand with two gateways', async () => {
    const { user, address } = await render('/internal/carriers/add', { as: 'provider' })
    await fill(user, await screen.findByLabelText(/Carrier name/), ' By hand ')
    await fill(user, gateway(1).getByLabelText('Address'), '198.51.100.20')
    expect(gateway(1).getByLabelText<HTMLInputElement>('Port').value).toBe('5060')
    await user.click(screen.getByText('Add SIP gateway'))
    await fill(user, gateway(2).getByLabelText('Address'), 'sip.example.com')
    expect(gateway(2).getByLabelText<HTMLInputElement>('Netmask').disabled).toBe(true)
    expect(gateway(2).getByLabelText<HTMLInputElement>('Port').value).toBe('')
    await user.click(gateway(2).getByLabelText('Inbound'))
    await user.click(gateway(2).getByLabelText('Outbound'))
    await user.selectOptions(gateway(2).getByLabelText('Protocol'), 'tls')
    await user.click(screen.getByLabelText('More settings of SIP gateway 2'))
    await user.click(gateway(2).getByLabelText('Send OPTIONS ping'))
    await save(user)
    await said(messages.added)
    await waitFor(() => expect(address()).toBe('/internal/carriers'))
    const made = await called('By hand')
    expect(made).toMatchObject({ is_active: 1, account_sid: null, tech_prefix: null, e164_leading_plus: 0 })
    expect(await gatewaysOf(made!.voip_carrier_sid)).toEqual([
      expect.objectContaining({
        ipv4: '198.51.100.20',
        port: 5060,
        netmask: 32,
        inbound: 1,
        outbound: 0,
        protocol: 'udp',
      }),
      expect.objectContaining({
        ipv4: 'sip.example.com',
        port: null,
        inbound: 0,
        outbound: 1,
        protocol: 'tls',
        send_options_ping: 1,
      }),
    ])
  })

  it('says each rule of the gateways under its row, and takes it back when it is kept', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'provider' })
    await screen.findByLabelText(/Carrier name/)
    await save(user)
    await said('Carrier name is required.')
    expect(screen.getByText(messages.gateway.invalidAddress)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Carrier name/)))
    await fill(user, gateway(1).getByLabelText('Address'), 'sip.example.com')
    await said(messages.gateway.fqdnOutboundOnly)
    const wrong = gateway(1).getByLabelText('Address')
    expect(wrong.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(wrong.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      messages.gateway.fqdnOutboundOnly,
    )
    await user.click(gateway(1).getByLabelText('Inbound'))
    await said(messages.gateway.noDirection)
    await user.click(gateway(1).getByLabelText('Outbound'))
    await waitFor(() => expect(screen.queryByText(messages.gateway.noDirection)).toBeNull())
    expect(await called('')).toBeUndefined()
  })

  it('looks at the gateways together', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'provider' })
    await fill(user, await screen.findByLabelText(/Carrier name/), 'Without')
    await fill(user, gateway(1).getByLabelText('Address'), '198.51.100.50')
    await user.click(screen.getByText('Add SIP gateway'))
    await fill(user, gateway(2).getByLabelText('Address'), '198.51.100.50')
    await said(messages.gateway.duplicate)
    await fill(user, gateway(2).getByLabelText('Port'), '70000')
    await said(messages.gateway.badPort(65535))
    for (const at of [2, 1]) await user.click(screen.getByLabelText(`Delete SIP gateway ${at}`))
    await save(user)
    await said(messages.gateway.atLeastOne)
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Add SIP gateway'))
    expect(await called('Without')).toBeUndefined()
  })

  it('says the rules of the carrier itself', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'provider' })
    await fill(user, await screen.findByLabelText('Tech prefix'), '12')
    await said(messages.shortTechPrefix(3))
    await user.click(screen.getByText('Outbound authentication'))
    await fill(user, screen.getByLabelText('Auth username'), 'me')
    await save(user)
    await said(messages.authTogether)
    await user.click(screen.getByText('Registration'))
    await user.click(screen.getByLabelText('Require SIP Register'))
    await save(user)
    await said('SIP realm is required.')
    expect(screen.getByText('Auth password is required.')).toBeTruthy()
  })
})

describe('a gateway that the server refuses', () => {
  it('shows on its row; what was saved is not saved again', async () => {
    const { user, address } = await render('/internal/carriers/add', { as: 'provider' })
    await fill(user, await screen.findByLabelText(/Carrier name/), 'In part')
    await fill(user, gateway(1).getByLabelText('Address'), '198.51.100.30')
    await user.click(screen.getByText('Add SIP gateway'))
    await fill(user, gateway(2).getByLabelText('Address'), '198.51.100.31')
    await fill(user, gateway(2).getByLabelText('Netmask'), '16')
    await save(user)
    await said(messages.gatewaysLeft)
    await said('netmask required to have value equal or greater than 24')
    await waitFor(() => expect(document.activeElement).toBe(gateway(2).getByLabelText('Netmask')))
    expect(address()).toBe('/internal/carriers/add')
    expect(await gatewaysOf((await called('In part'))!.voip_carrier_sid)).toHaveLength(1)

    await fill(user, gateway(2).getByLabelText('Netmask'), '28')
    await save(user)
    await waitFor(() => expect(address()).toBe('/internal/carriers'))
    expect((await carriers()).filter(({ name }) => name === 'In part')).toHaveLength(1)
    const stored = await gatewaysOf((await called('In part'))!.voip_carrier_sid)
    expect(stored.map(({ ipv4, netmask }) => [ipv4, netmask])).toEqual([
      ['198.51.100.30', 32],
      ['198.51.100.31', 28],
    ])
  })
})

describe('editing a carrier', () => {
  it('sends the differences and stays', async () => {
    const { acme } = world()
    const edit = `/internal/carriers/${acme.voip_carrier}/edit`
    const { user, address } = await render(edit, { as: 'provider' })
    await fill(user, await screen.findByLabelText('Tech prefix'), '4471#')
    await user.click(screen.getByText('Add SIP gateway'))
    await fill(user, gateway(2).getByLabelText('Address'), '198.51.100.40')
    await user.click(screen.getByLabelText('Delete SIP gateway 1'))
    await save(user)
    await said(messages.saved)
    await said(messages.gatewayRemoved)
    expect(address()).toBe(edit)
    const [only, more] = await gatewaysOf(acme.voip_carrier)
    expect(only).toMatchObject({ ipv4: '198.51.100.40' })
    expect(more).toBeUndefined()
    expect((await called('acme trunk'))?.tech_prefix).toBe('4471#')
  })

  it('shows an account user what the provider shares, to look at', async () => {
    const { shared } = world()
    await render(`/internal/carriers/${shared.north.voip_carrier}/edit`, { as: 'account' })
    expect(await screen.findByText(general.mayNotChange('Carrier'))).toBeTruthy()
    expect(screen.getByText<HTMLButtonElement>('Save').disabled).toBe(true)
    expect(gateway(1).getByLabelText<HTMLInputElement>('Address').readOnly).toBe(true)
    expect(screen.queryByText('Add SIP gateway')).toBeNull()
  })

  it('refuses what belongs to somebody else', async () => {
    await render(`/internal/carriers/${world().bolt.voip_carrier}/edit`, { as: 'account' })
    await said('You do not have access to this resource')
  })
})
