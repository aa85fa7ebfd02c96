import { screen, waitFor } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/ms-teams-tenant'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBackend, type Screen } from './render'

const { render, ask, world } = useBackend()

const said = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const option = (name: string) => screen.findByRole('option', { name, hidden: true })
const pick = async (user: Screen['user'], field: string, name: string) => {
  await user.click(await screen.findByRole('combobox', { name: field }))
  await user.click(await option(name))
}
const type = async (user: Screen['user'], text: string) => {
  const input = await screen.findByLabelText('Domain name', { exact: false })
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
}
const tenants = () => ask<MsTeamsTenant[]>('north', 'GET', '/MicrosoftTeamsTenants')

describe('Microsoft Teams tenants', () => {
  it('require a domain of the provider', async () => {
    await render('/internal/ms-teams-tenants', { as: 'provider' })
    await said(messages.noDomain('Northwind'))
    expect(screen.queryByText('Add MS Teams tenant')).toBeNull()
  })

  describe('of a provider with a domain', () => {
    beforeEach(async () => {
      await ask('north', 'PUT', `/ServiceProviders/${world().providers.north}`, {
        ms_teams_fqdn: 'teams.north.example',
      })
    })

    it('are listed with account and application', async () => {
      await render('/internal/ms-teams-tenants', { as: 'provider' })
      const row = (await screen.findByRole('link', { name: 'acme.teams.example.com' })).closest('tr')!
      expect(row.textContent).toContain('acme')
      expect(row.textContent).toContain('None')
    })

    it('are added, and the new one is opened', async () => {
      const { user } = await render('/internal/ms-teams-tenants/add', { as: 'provider' })
      await type(user, 'desk.example.com')
      await pick(user, 'Account', 'bolt')
      await pick(user, 'Application', 'bolt app')
      await user.click(screen.getByText('Save'))
      await said(messages.added)
      await screen.findByRole('heading', { name: 'Edit Microsoft Teams tenant' })
      const made = (await tenants()).find(({ tenant_fqdn }) => tenant_fqdn === 'desk.example.com')
      expect(made).toMatchObject({ account_name: 'bolt', application_name: 'bolt app' })
    })

    it('refuse a duplicate domain', async () => {
      const { user } = await render(`/internal/ms-teams-tenants/${world().acme.ms_teams_tenant}/edit`, {
        as: 'account',
      })
      await type(user, 'bolt.teams.example.com')
      await user.click(screen.getByText('Save'))
      await said(messages.duplicateDomain)
    })

    it('are deleted after confirmation', async () => {
      const { user } = await render('/internal/ms-teams-tenants', { as: 'provider' })
      await user.click(await screen.findByRole('button', { name: 'Delete acme.teams.example.com' }))
      await said(messages.confirmRemoval('acme.teams.example.com'))
      await user.click(await screen.findByText('Delete'))
      await said(messages.removed('acme.teams.example.com'))
    })
  })
})
