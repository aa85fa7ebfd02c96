import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useBackend, type Person } from './render'

const { render, ask, world } = useBackend()

const texts = async (title: string) => {
  const box = await screen.findByRole('region', { name: title })
  expect(within(box).getByText('Ask your carrier to allow these addresses.')).toBeTruthy()
  return within(box)
    .getAllByRole('listitem')
    .map((item) => item.textContent.trim())
}

beforeAll(async () => {
  const service_provider_sid = world().providers.north
  await ask('admin', 'POST', '/Sbcs', { ipv4: '192.0.2.1' })
  await ask('admin', 'POST', '/Sbcs', { ipv4: '192.0.2.2', port: 5080, service_provider_sid })
  await ask('admin', 'POST', '/Smpps', { ipv4: '192.0.2.3', port: 2775 })
  await ask('admin', 'POST', '/Smpps', { ipv4: '192.0.2.4', port: 3550, use_tls: 1 })
})
beforeEach(() => localStorage.setItem('activeServiceProvider', world().providers.north))

describe('the addresses that a carrier must allow', () => {
  it.each<Person>(['admin', 'provider', 'account'])('are shown beside its form, by tab, for %s', async (as) => {
    const { user } = await render('/internal/carriers/add', { as })
    expect(await texts('Signalling addresses')).toEqual(['192.0.2.2:5080'])
    expect(screen.queryByText('SMPP addresses')).toBeNull()
    await user.click(screen.getByRole('tab', { name: 'SMS' }))
    // the provider has none of its own, so those of the platform are shown
    expect(await texts('SMPP addresses')).toEqual(['192.0.2.3:2775', '192.0.2.4:3550 TLS'])
    expect(screen.queryByText('Signalling addresses')).toBeNull()
  })
})
