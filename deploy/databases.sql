-- Run once by the Postgres image, on an empty volume. Each service owns its database and no other.
\getenv password POSTGRES_PASSWORD

CREATE ROLE identity LOGIN PASSWORD :'password';
CREATE ROLE images LOGIN PASSWORD :'password';
CREATE ROLE network LOGIN PASSWORD :'password';
CREATE ROLE compute LOGIN PASSWORD :'password';
CREATE ROLE secrets LOGIN PASSWORD :'password';
CREATE ROLE loadbalancer LOGIN PASSWORD :'password';
CREATE ROLE orchestration LOGIN PASSWORD :'password';
CREATE ROLE clusters LOGIN PASSWORD :'password';
CREATE ROLE s3 LOGIN PASSWORD :'password';

CREATE DATABASE identity OWNER identity;
CREATE DATABASE images OWNER images;
CREATE DATABASE network OWNER network;
CREATE DATABASE compute OWNER compute;
CREATE DATABASE secrets OWNER secrets;
CREATE DATABASE loadbalancer OWNER loadbalancer;
CREATE DATABASE orchestration OWNER orchestration;
CREATE DATABASE clusters OWNER clusters;
CREATE DATABASE s3 OWNER s3;
