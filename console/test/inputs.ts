import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

const labelled = (label: string) => new RegExp(`^${label}( \\*)?$`)
const typedIn = { selector: 'input, textarea' }

/** An input by its label: a long form has too many parts to ask each for its role. */
export const input = (label: string) => screen.findByLabelText<HTMLInputElement>(labelled(label), typedIn)

/** Waits until an input shows a value. */
export const shows = async (label: string, value: string) => {
  await input(label)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(labelled(label), typedIn).value).toBe(value))
}

/** The options of a list, once it is open. */
const optionsIn = async (user: UserEvent, label: string) => {
  const box = await input(label)
  await user.click(box)
  const list = await waitFor(() => {
    const found = document.getElementById(box.getAttribute('aria-controls') ?? '')
    if (!found?.querySelector('[role=option]')) throw new Error(`${label} has no options`)
    return found
  })
  return [...list.querySelectorAll<HTMLElement>('[role=option]')]
}

/** What a list offers. */
export const offered = async (user: UserEvent, label: string) => {
  const words = (await optionsIn(user, label)).map(({ textContent }) => textContent)
  await user.keyboard('{Escape}')
  return words
}

/** Chooses from a list. */
export const choose = async (user: UserEvent, label: string, option: string) => {
  const found = (await optionsIn(user, label)).find(({ textContent }) => textContent === option)
  if (!found) throw new Error(`${label} does not offer ${option}`)
  await user.click(found)
}
