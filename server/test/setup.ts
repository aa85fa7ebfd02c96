import { afterAll } from 'vitest'
import { dropIdleDatabases } from './mysql-databases'

afterAll(dropIdleDatabases)
