import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useSerialTask } from './use-serial-task'

const renderTask = () => renderHook(useSerialTask).result

it('runs again only if a second call came while work was left', async () => {
  const serialTask = renderTask()
  const rerun = vi.fn()
  await act(() => serialTask.current.run(async () => true, rerun))
  expect(rerun).not.toHaveBeenCalled()
  let finish = (_isWorkLeft: boolean) => {}
  for (const isWorkLeft of [false, true]) {
    const task = new Promise<boolean>((resolve) => (finish = resolve))
    let firstRun: Promise<void> | undefined
    act(() => void (firstRun = serialTask.current.run(() => task, rerun)))
    expect(serialTask.current.isRunning).toBe(true)
    await act(() => serialTask.current.run(async () => true, rerun))
    finish(isWorkLeft)
    await act(() => firstRun!)
    expect(rerun).toHaveBeenCalledTimes(isWorkLeft ? 1 : 0)
  }
})

it('can run again after a task throws', async () => {
  const serialTask = renderTask()
  const failingTask = () => Promise.reject(new Error('no'))
  await act(() => expect(serialTask.current.run(failingTask, () => undefined)).rejects.toThrow('no'))
  expect(serialTask.current.isRunning).toBe(false)
  const task = vi.fn(async () => false)
  await act(() => serialTask.current.run(task, () => undefined))
  expect(task).toHaveBeenCalledOnce()
})
