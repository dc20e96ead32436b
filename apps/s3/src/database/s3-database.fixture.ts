/** A database of the service, for the tests of a file. */
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import { s3Service } from '../service.js';

export class S3Database {
  readonly ctx: RequestContext;

  private constructor(
    readonly dataSource: DataSource,
    private readonly drop: () => Promise<void>,
  ) {
    this.ctx = RequestContext.system('req-test', dataSource.manager);
  }

  static async create(): Promise<S3Database> {
    const database = await createTestDatabase(s3Service);
    const dataSource = await s3Service.dataSource(database.url).initialize();
    return new S3Database(dataSource, () => database.drop());
  }

  async destroy(): Promise<void> {
    await this.dataSource.destroy();
    await this.drop();
  }
}
