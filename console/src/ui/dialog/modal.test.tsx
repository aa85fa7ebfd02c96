import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { Modal } from './modal'

afterEach(cleanup)

/** A locked question that the server's response replaces. */
const Replaced = ({ answer, onClose }: { answer: Promise<void>; onClose: () => void }) => {
  const [isAnswered, setAnswered] = useState(false)
  useEffect(() => void answer.then(() => setAnswered(true)), [answer])
  return isAnswered ? (
    <Modal key="answer" opened label="Answer" onClose={onClose} children={null} />
  ) : (
    <Modal key="question" opened locked label="Question" onClose={() => undefined} children={null} />
  )
}

const pressEscape = () =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))

it('closes with an Escape pressed as soon as it has replaced a locked layer', async () => {
  const onClose = vi.fn()
  let reply = () => undefined as void
  const answer = new Promise<void>((resolve) => (reply = resolve))
  render(<Replaced answer={answer} onClose={onClose} />)
  const seen = new Promise<void>((resolve) => {
    // runs right after the new layer is in the document, before React's deferred effects
    const observer = new MutationObserver(() => {
      if (!screen.queryByRole('dialog', { name: 'Answer' })) return
      observer.disconnect()
      pressEscape()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
  setTimeout(reply)
  await waitFor(() => screen.getByRole('dialog', { name: 'Answer' }))
  await seen
  expect(onClose).toHaveBeenCalledOnce()
})
