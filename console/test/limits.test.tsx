import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import type { AccountLimit } from '@trunkline/contract/shapes/limit'
import { FormProvider, useForm } from 'react-hook-form'
import { describe, expect, it } from 'vitest'
import { password } from '../../server/test/world'
import { FieldRegistryContext, createFieldRegistry } from '../src/fields/field-registry'
import { validateLimits, noLimits, readLimits, saveLimits, type LimitValues } from '../src/panels/limit-values'
import { Limits } from '../src/panels/limits'
import { createResolver } from '../src/kit/form/resolver'
import { setFeatureFlags } from '../src/lib/feature-flags'
import { useBackend } from './render'

const { ask, backend, world } = useBackend()

const owner = () => ({ account_sid: world().accounts.acme, service_provider_sid: world().providers.north })
const account = () => ({ account_sid: world().accounts.acme })
const stored = async () =>
  Object.fromEntries(
    (await ask<AccountLimit[]>('admin', 'GET', `/Accounts/${world().accounts.acme}/Limits`)).map(
      ({ category, quantity }) => [category, quantity],
    ),
  )

const facts = createFieldRegistry()

/** An account form with only the limits. */
const Form = ({ limits, onSaved }: { limits: LimitValues; onSaved: () => void }) => {
  const form = useForm<{ limits: LimitValues }>({
    defaultValues: { limits },
    resolver: createResolver(facts, (values) => validateLimits(values.limits)),
  })
  return (
    <FieldRegistryContext.Provider value={facts}>
      <FormProvider {...form}>
        <form
          onSubmit={(event) => {
            void form.handleSubmit(({ limits: now }) => saveLimits(account(), now, limits).then(onSaved))(event)
          }}
        >
          <Limits owner={owner()} />
          <button type="submit">Save</button>
        </form>
      </FormProvider>
    </FieldRegistryContext.Provider>
  )
}

const show = async (as: 'admin' | 'north' | 'acme', allLimits: boolean) => {
  const address = backend().app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${port}/v1`, allLimits })
  const payload = { username: as, password }
  const answer = await backend().app.inject({ method: 'POST', url: '/v1/login', payload })
  localStorage.setItem('token', answer.json<{ token: string }>().token)
  const limits = await readLimits(account())
  let saved = 0
  render(<Form limits={limits} onSaved={() => (saved += 1)} />)
  const user = userEvent.setup()
  return {
    user,
    save: async () => {
      const before = saved
      await user.click(screen.getByRole('button', { name: 'Save' }))
      return () => waitFor(() => expect(saved).toBe(before + 1))
    },
  }
}

const field = (name: string) => screen.queryByRole<HTMLInputElement>('textbox', { name })
const labels = ['Max calls', 'Licensed calls', 'Max minutes', 'Licensed minutes']
const shown = () => labels.filter((label) => field(label))
const pickUnit = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
  await user.click(screen.getByRole('combobox', { name: 'Unit' }))
  await user.click(await screen.findByRole('option', { name, hidden: true }))
}

describe('the limits of an account', () => {
  it('show only its calls to an administrator and a provider user', async () => {
    for (const as of ['admin', 'north'] as const) {
      const { user, save } = await show(as, false)
      expect(shown()).toEqual(['Max calls'])
      await user.clear(field('Max calls')!)
      await user.type(field('Max calls')!, as === 'admin' ? '3' : '4')
      await (
        await save()
      )()
      expect(await stored()).toEqual({ voice_call_session: as === 'admin' ? 3 : 4 })
      cleanup()
    }
  })

  it("are read-only for the account's own user", async () => {
    await show('acme', false)
    expect(field('Max calls')).toMatchObject({ readOnly: true, value: '4', placeholder: '–' })
  })

  it('show all four with `allLimits`, two per unit', async () => {
    const { user, save } = await show('admin', true)
    expect(shown()).toEqual(['Max calls', 'Licensed calls'])
    await user.clear(field('Max calls')!)
    await user.type(field('Licensed calls')!, '0')
    await pickUnit(user, 'Minute')
    expect(shown()).toEqual(['Max minutes', 'Licensed minutes'])
    await user.type(field('Max minutes')!, '1000')
    await (
      await save()
    )()
    expect(await stored()).toEqual({ voice_call_session_license: 0, voice_call_minutes: 1000 })
  })

  it('switch to the unit that has an error', async () => {
    const { user, save } = await show('admin', true)
    await user.type(field('Max calls')!, 'x')
    await pickUnit(user, 'Minute')
    await save()
    expect(await screen.findByText('Max calls must be a whole number, 0 or more.')).toBeTruthy()
    expect(shown()).toEqual(['Max calls', 'Licensed calls'])
  })

  it('open with the unit that has limits', async () => {
    await ask('admin', 'DELETE', `/Accounts/${world().accounts.acme}/Limits?category=voice_call_session_license`)
    await show('admin', true)
    expect(shown()).toEqual(['Max minutes', 'Licensed minutes'])
  })

  it('are editable only by administrators with `allLimits`; others see the licensed ones', async () => {
    for (const as of ['north', 'acme'] as const) {
      const { user } = await show(as, true)
      await pickUnit(user, 'Minute')
      expect(shown()).toEqual(['Licensed minutes'])
      expect(field('Licensed minutes')!.readOnly).toBe(true)
      cleanup()
    }
  })
})

it('keeps limits of a category that is not shown', async () => {
  const { account_sid } = account()
  await ask('admin', 'POST', `/Accounts/${account_sid}/Limits`, { category: 'device', quantity: 9 })
  await show('admin', false)
  await saveLimits({ account_sid }, noLimits, await readLimits({ account_sid }))
  expect(await stored()).toEqual({ device: 9 })
})
